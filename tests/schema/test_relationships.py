"""The table of relationship types, their names, their ends and the walks over them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.errors import InvalidError
from hippograph.schema.relationships import (
    TYPES,
    Direction,
    Relationship,
    RelationshipOrigin,
    RelationshipStatus,
    RelationshipType,
    Walk,
    canonical,
    ends_in_order,
    walk_over,
)

NAMES = [(name, kind) for kind, facts in TYPES.items() for name in (kind.value, *facts.aliases)]
SYMMETRIC = [kind for kind, facts in TYPES.items() if facts.symmetric]
ONE_WAY = [kind for kind, facts in TYPES.items() if not facts.symmetric]

kinds = st.sampled_from(RelationshipType)
some_kinds = st.lists(kinds, max_size=6)
directions = st.sampled_from(Direction)
ids = st.text("abc-019", min_size=1, max_size=8)


@st.composite
def spelled(draw: st.DrawFn) -> tuple[str, RelationshipType]:
    """A name with other capitals, blanks, underscores and hyphens, and its type."""
    name, kind = draw(st.sampled_from(NAMES))
    gaps = st.text(" _-\t", max_size=2)
    letters = [
        draw(gaps) + draw(st.sampled_from((one.upper(), one.lower())))
        for one in name.replace("_", "")
    ]
    return "".join(letters) + draw(gaps), kind


def an_edge(
    kind: RelationshipType = RelationshipType.RELATED,
    *,
    score: float | None = None,
    confidence: float = 1.0,
) -> Relationship:
    return Relationship(
        id="r1",
        source_id="a",
        target_id="b",
        type=kind,
        score=score,
        similarity=None,
        confidence=confidence,
        reason=None,
        origin=RelationshipOrigin.MANUAL,
        status=RelationshipStatus.ENFORCED,
        metadata=None,
        created_at=datetime(2026, 4, 4, tzinfo=UTC),
        created_by="owner",
    )


def edges_of(walk: Walk) -> set[tuple[str, RelationshipType]]:
    """The stored edges that a walk takes, each with the way it is taken."""
    return {("out", kind) for kind in walk.outgoing} | {("in", kind) for kind in walk.incoming}


def test_the_table_holds_every_type() -> None:
    assert set(TYPES) == set(RelationshipType)


def test_the_inverse_of_an_inverse_is_the_type_itself() -> None:
    inverses = {kind: facts.inverse for kind, facts in TYPES.items() if facts.inverse}

    assert {other: kind for kind, other in inverses.items()} == inverses


def test_a_symmetric_type_needs_no_inverse() -> None:
    assert [kind for kind in SYMMETRIC if TYPES[kind].inverse] == []


def test_the_weight_of_a_type_is_above_0_and_at_most_1() -> None:
    assert all(0 < facts.weight <= 1 for facts in TYPES.values())


@given(named=spelled())
def test_a_name_of_a_type_is_known_however_it_is_spelled(
    named: tuple[str, RelationshipType],
) -> None:
    name, kind = named

    assert canonical(name) is kind


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_every_alias_stands_for_its_own_type(name: str, kind: RelationshipType) -> None:
    assert canonical(name) is kind


@pytest.mark.parametrize("name", ["", " ", "_-", "FRIEND_OF", "RELATED!", "RELATED TO", "\x00"])
def test_an_unknown_name_is_refused_with_the_names_that_are_allowed(name: str) -> None:
    with pytest.raises(InvalidError, match="REFERENCES, DERIVES_FROM") as refusal:
        canonical(name)

    assert refusal.value.field == "relationshipType"


@given(kind=st.sampled_from(SYMMETRIC), one=ids, other=ids)
def test_a_symmetric_edge_is_stored_the_same_from_both_ends(
    kind: RelationshipType, one: str, other: str
) -> None:
    ends = ends_in_order(kind, one, other)

    assert ends == ends_in_order(kind, other, one) == (min(one, other), max(one, other))


@given(kind=st.sampled_from(ONE_WAY), one=ids, other=ids)
def test_an_edge_that_reads_one_way_keeps_its_ends(
    kind: RelationshipType, one: str, other: str
) -> None:
    assert ends_in_order(kind, one, other) == (one, other)


@pytest.mark.parametrize("kind", SYMMETRIC)
@pytest.mark.parametrize("direction", Direction)
def test_a_symmetric_type_answers_from_both_ends(
    kind: RelationshipType, direction: Direction
) -> None:
    assert edges_of(walk_over([kind], direction)) == {("out", kind), ("in", kind)}


@pytest.mark.parametrize("kind", ONE_WAY)
def test_an_outgoing_walk_takes_a_type_and_its_inverse_backwards(
    kind: RelationshipType,
) -> None:
    walk = walk_over([kind], Direction.OUTGOING)

    inverse = TYPES[kind].inverse
    assert walk == Walk(outgoing=(kind,), incoming=(inverse,) if inverse else ())


@given(types=some_kinds | st.none())
def test_an_incoming_walk_is_an_outgoing_one_from_the_other_end(
    types: list[RelationshipType] | None,
) -> None:
    there = walk_over(types, Direction.OUTGOING)
    back = walk_over(types, Direction.INCOMING)

    assert (there.outgoing, there.incoming) == (back.incoming, back.outgoing)


@given(types=some_kinds | st.none())
def test_a_walk_both_ways_takes_what_either_way_takes(
    types: list[RelationshipType] | None,
) -> None:
    there, back = (walk_over(types, way) for way in (Direction.OUTGOING, Direction.INCOMING))

    assert edges_of(walk_over(types)) == edges_of(there) | edges_of(back)


@given(types=some_kinds, direction=directions)
def test_a_walk_over_several_types_is_the_walks_over_each(
    types: list[RelationshipType], direction: Direction
) -> None:
    each = [edges_of(walk_over([kind], direction)) for kind in types]

    assert edges_of(walk_over(types, direction)) == set[tuple[str, RelationshipType]]().union(
        *each
    )


@given(types=some_kinds | st.none(), direction=directions)
def test_a_walk_names_no_type_twice(
    types: list[RelationshipType] | None, direction: Direction
) -> None:
    walk = walk_over(types, direction)

    assert len(set(walk.outgoing)) == len(walk.outgoing)
    assert len(set(walk.incoming)) == len(walk.incoming)


@pytest.mark.parametrize("direction", Direction)
def test_a_walk_without_types_reaches_every_type(direction: Direction) -> None:
    assert walk_over(None, direction).either_way() == sorted(RelationshipType)


def test_a_walk_over_no_types_takes_no_edge() -> None:
    assert edges_of(walk_over([])) == set()


@given(kind=kinds, score=st.floats(0, 1), confidence=st.floats(0, 1))
def test_the_strength_of_a_scored_edge_is_its_score_by_the_weight_of_its_type(
    kind: RelationshipType, score: float, confidence: float
) -> None:
    edge = an_edge(kind, score=score, confidence=confidence)

    assert edge.strength == score * TYPES[kind].weight


def test_the_strength_of_an_edge_without_a_score_is_its_confidence() -> None:
    assert an_edge(RelationshipType.RELATED, confidence=0.8).strength == pytest.approx(0.4)
