"""What the command line asks, held against the schema that the service answers by."""

from typing import Any, cast

import pytest
from graphql import build_schema, parse, validate

from hippograph.api.cli import documents
from hippograph.api.cli.client import Document
from hippograph.api.schema import schema

DOCUMENTS = {
    name: cast("Document[Any]", made)
    for name, made in vars(documents).items()
    if isinstance(made, Document)
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_fits_the_schema(name: str) -> None:
    problems = validate(build_schema(schema.as_str()), parse(DOCUMENTS[name].text))

    assert problems == []
