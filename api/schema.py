"""The GraphQL schema: what can be asked and changed, with limits on how much at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import strawberry
from strawberry.extensions import (
    AddValidationRules,
    MaxAliasesLimiter,
    MaxTokensLimiter,
    ParserCache,
    QueryDepthLimiter,
    ValidationCache,
)
from strawberry.schema.config import StrawberryConfig

from hippograph.api.mutations import Mutation
from hippograph.api.queries import Query
from hippograph.api.scalars import SCALARS

if TYPE_CHECKING:
    from graphql import GraphQLError
    from strawberry.types import ExecutionContext

MOST_DEPTH = 15
MOST_ALIASES = 30
MOST_TOKENS = 5000
# Programs send the same few documents again and again; validating one takes milliseconds.
DOCUMENTS_KEPT = 500


class Schema(strawberry.Schema):
    """The schema; errors are logged where they are turned into answers, and only there."""

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Log nothing here: the library would print the values that callers sent."""
        del errors, execution_context


# Made once: the cache of validated documents tells rules apart by their class.
RULES = (
    *QueryDepthLimiter(max_depth=MOST_DEPTH).validation_rules,
    *MaxAliasesLimiter(max_alias_count=MOST_ALIASES).validation_rules,
)

schema = Schema(
    query=Query,
    mutation=Mutation,
    config=StrawberryConfig(scalar_map=SCALARS),
    extensions=[
        lambda: AddValidationRules(list(RULES)),
        lambda: MaxTokensLimiter(max_token_count=MOST_TOKENS),
        lambda: ParserCache(maxsize=DOCUMENTS_KEPT),
        lambda: ValidationCache(maxsize=DOCUMENTS_KEPT),
    ],
)


def printed() -> str:
    """The schema as text, as `docs/schema.graphql` holds it."""
    return schema.as_str() + "\n"
