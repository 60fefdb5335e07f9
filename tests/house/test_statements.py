"""Every Cypher file keeps the promises of its header and stays inside one space."""

import ast
import re
from itertools import takewhile

import pytest

from hippograph.graph.statements import statement, statement_names
from tests.house.statements import FOLDER, CypherFile, cypher_files
from tests.house.tree import PACKAGES, parsed, sources

FILES = cypher_files()
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)

# The header's lines in their order; purpose and notes, which come first, have no key.
ORDER = ("params", "returns", "index")

# What acts on no space: the graph's schema, the service as a whole, and how a space is found.
OUTSIDE_ANY_SPACE = {
    "engine_password": "the database's own user",
    "freezes_refresh": "all memories, after the constants of decay changed",
    "indexes_await": "the state of all indexes",
    "indexes_offline": "the state of all indexes",
    "key_create": "makes a key of the space that it is told, for operators too",
    "key_find": "finds the space of a caller by the hash of the key",
    "key_used": "follows key_find",
    "reindex_count": "all memories, for another embedding model",
    "reindex_next": "all memories, for another embedding model",
    "reindex_write": "all memories, for another embedding model",
    "service_ping": "touches no data",
    "service_read": "what the database was made for",
    "service_write": "what the database was made for",
    "space_create": "makes the space, by its id",
    "space_read": "finds the space, by its id",
    "vectors_create": "the graph's schema",
    "vectors_drop": "the graph's schema",
}


def test_a_statement_file_is_named_for_its_subject_and_verb() -> None:
    wrong = [
        path.name
        for path in FOLDER.iterdir()
        if not re.fullmatch(r"[a-z]+(?:_[a-z0-9]+)*\.cypher", path.name)
    ]

    assert wrong == []


@each_file
def test_the_header_says_the_purpose_and_then_its_keys_in_order(file: CypherFile) -> None:
    notes = len(list(takewhile(lambda key: key is None, file.keys)))
    assert notes >= 1
    assert list(file.keys[notes:]) == [key for key in ORDER if key in file.keys]
    assert file.values[0].endswith(".")
    assert file.body.startswith("CYPHER 25\n")
    assert ";" not in file.code


@each_file
def test_the_header_names_the_parameters_that_the_text_uses(file: CypherFile) -> None:
    assert set(file.listed("params")) == file.parameters()
    assert len(file.listed("params")) == len(file.parameters())


@each_file
def test_the_header_names_the_columns_that_the_text_returns(file: CypherFile) -> None:
    assert file.listed("returns") == file.columns()


@each_file
def test_the_loader_reads_the_same_header(file: CypherFile) -> None:
    loaded = statement(file.name)

    assert loaded.purpose == file.values[0]
    assert loaded.params == set(file.listed("params"))
    assert list(loaded.returns) == file.listed("returns")
    assert list(loaded.index) == file.listed("index")


@each_file
def test_the_space_is_part_of_the_first_pattern(file: CypherFile) -> None:
    if file.name.startswith("schema_") or file.name in OUTSIDE_ANY_SPACE:
        assert "space" not in file.parameters()
        return

    assert "$space" in file.first_pattern()
    assert all(".space = $space" in search for search in file.word_searches())


def test_the_list_of_statements_outside_any_space_names_real_ones() -> None:
    assert set(OUTSIDE_ANY_SPACE) <= set(statement_names())


def test_every_statement_is_used() -> None:
    named = {
        node.value
        for path in sources(*PACKAGES)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    unused = [
        file.name
        for file in FILES
        if file.name not in named and not file.name.startswith("schema_")
    ]

    assert unused == []
