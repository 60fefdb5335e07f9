"""Where one GraphQL schema falls short of another, a line for each place."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphql import (
    DefinitionNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    FloatValueNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    IntValueNode,
    NullValueNode,
    ObjectTypeDefinitionNode,
    TypeDefinitionNode,
    parse,
    print_ast,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A field, an argument or a value: type and default as written, and what it takes."""

    type: str = ""
    default: str | None = None
    takes: dict[str, "Place"] = field(default_factory=dict["str", "Place"])

    @property
    def is_required(self) -> bool:
        """Whether a caller has to give it."""
        return self.type.endswith("!") and self.default is None

    def __str__(self) -> str:
        return self.type if self.default is None else f"{self.type} = {self.default}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeOf:
    """One type of a schema with all that is in it."""

    kind: str
    described: bool
    places: dict[str, Place]


Schema = dict[str, TypeOf]


def schema_from(text: str) -> Schema:
    """The types of a schema by name."""
    return {
        node.name.value: _type_of(node)
        for node in parse(text).definitions
        if isinstance(node, TypeDefinitionNode)
    }


def shortfalls(contract: Schema, ours: Schema) -> Iterator[str]:
    """Every place where a type of both is not what the contract promises.

    What ours has beyond the contract is fine, unless a caller would have to give it.
    """
    for name in contract.keys() & ours.keys():
        promised, actual = contract[name], ours[name]
        if promised.kind != actual.kind:
            yield f"{name} is {actual.kind}, not {promised.kind}"
        if promised.kind.startswith("Input"):
            yield from _of_what_is_given(name, promised.places, actual.places)
            continue
        for inner in promised.places.keys() & actual.places.keys():
            yield from _of_field(
                f"{name}.{inner}", promised.places[inner], actual.places[inner]
            )


def missing(contract: Schema, ours: Schema) -> set[str]:
    """The fields and values, as `Type.name`, that the contract has and a type of ours lacks."""
    return {
        f"{name}.{inner}"
        for name in contract.keys() & ours.keys()
        for inner in contract[name].places.keys() - ours[name].places.keys()
    }


def _of_field(where: str, promised: Place, actual: Place) -> Iterator[str]:
    if promised.type != actual.type:
        yield f"{where} is {actual.type}, not {promised.type}"
    for name in promised.takes.keys() - actual.takes.keys():
        yield f"{where}({name}) is missing"
    yield from _of_what_is_given(where, promised.takes, actual.takes)


def _of_what_is_given(
    where: str, promised: dict[str, Place], actual: dict[str, Place]
) -> Iterator[str]:
    for name, given in actual.items():
        wanted = promised.get(name)
        if wanted is None and given.is_required:
            yield f"{where}({name}) is required, and not in the contract"
        if wanted is not None and str(given) != str(wanted):
            yield f"{where}({name}) is {given}, not {wanted}"


def _type_of(node: DefinitionNode) -> TypeOf:
    places: dict[str, Place] = {}
    described = getattr(node, "description", None) is not None
    if isinstance(node, ObjectTypeDefinitionNode):
        places = {one.name.value: _field(one) for one in node.fields or ()}
        described = described and all(one.description for one in node.fields or ())
    elif isinstance(node, InputObjectTypeDefinitionNode):
        places = {one.name.value: _given(one) for one in node.fields or ()}
        described = described and all(one.description for one in node.fields or ())
    elif isinstance(node, EnumTypeDefinitionNode):
        places = {one.name.value: Place() for one in node.values or ()}
        described = described and all(one.description for one in node.values or ())
    return TypeOf(kind=type(node).__name__, described=described, places=places)


def _field(node: FieldDefinitionNode) -> Place:
    takes = {one.name.value: _given(one) for one in node.arguments or ()}
    return Place(print_ast(node.type), takes=takes)


def _given(node: InputValueDefinitionNode) -> Place:
    """An argument; a default of null is none, as a caller cannot tell the two apart."""
    default = node.default_value
    if isinstance(default, NullValueNode):
        return Place(print_ast(node.type))
    if isinstance(default, IntValueNode | FloatValueNode):
        return Place(print_ast(node.type), str(float(default.value)))
    return Place(print_ast(node.type), print_ast(default) if default else None)
