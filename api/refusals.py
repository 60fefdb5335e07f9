"""Expected refusals of a mutation: an answer with `success: false`, not a GraphQL error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strawberry.extensions.field_extension import AsyncExtensionResolver, FieldExtension

from hippograph.api.context import caller_of
from hippograph.api.types import OperationError
from hippograph.schema.errors import RefusedError

if TYPE_CHECKING:
    import strawberry
    from strawberry.types.field import StrawberryField


class Refusals(FieldExtension):
    """Turns a RefusedError of a mutation into its result type with the error in it."""

    def __init__(self) -> None:
        self._field: StrawberryField | None = None

    def apply(self, field: StrawberryField) -> None:
        """Remember the field, whose type is that of the answer."""
        self._field = field

    async def resolve_async(
        self,
        next_: AsyncExtensionResolver,
        source: Any,
        info: strawberry.Info,
        **kwargs: Any,
    ) -> Any:
        """The mutation's own answer, or its refusal."""
        caller_of(info).forget()
        try:
            return await next_(source, info, **kwargs)
        except RefusedError as error:
            answer = self._field.type if self._field else None
            return answer(success=False, error=OperationError.of(error))  # pyright: ignore[reportCallIssue, reportOptionalCall, reportUnknownVariableType] - the type of a mutation is a result
