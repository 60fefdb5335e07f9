"""The lock of jars: exactly what the managed Neo4j and the embedding models are made of."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from hippograph.schema.errors import EngineError


class Place(StrEnum):
    """What a jar is for, which decides where it goes."""

    LIB = "lib"
    PLUGINS = "plugins"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Jar:
    """One jar: its coordinate, and the only content that is accepted under it."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    place: Place

    @property
    def name(self) -> str:
        """The file name; no two jars of the lock share one."""
        parts = (self.artifact, self.version, self.classifier)
        return "-".join(part for part in parts if part) + ".jar"

    def __str__(self) -> str:
        """The coordinate, as Maven writes it."""
        parts = (self.group, self.artifact, self.version, self.classifier)
        return ":".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Lock:
    """All jars of a lock."""

    jars: tuple[Jar, ...]

    @property
    def engine(self) -> tuple[Jar, ...]:
        """The jars that Neo4j runs on."""
        return tuple(jar for jar in self.jars if jar.place is not Place.MODEL)

    @property
    def engine_digest(self) -> str:
        """A digest of the jars that Neo4j runs on; a new model does not change it."""
        lines = sorted(f"{jar} {jar.sha256} {jar.place}" for jar in self.engine)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def model(self, artifact: str) -> Jar:
        """The jar of an embedding model by its artifact's name.

        Raises EngineError when the lock has none of that name.
        """
        models = {jar.artifact: jar for jar in self.jars if jar.place is Place.MODEL}
        if artifact not in models:
            raise EngineError(f"no model {artifact} is known; known are {', '.join(models)}")
        return models[artifact]


@cache
def shipped_lock() -> Lock:
    """The lock of this release."""
    text = (files("hippograph") / "graph" / "engine" / "jars.lock").read_text("utf-8")
    return lock_from(text)


def lock_from(text: str) -> Lock:
    """A lock from its text: `group:artifact:version[:classifier] sha256 place`, one a line."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return Lock(tuple(_jar(*line.split()) for line in lines))


def _jar(coordinate: str, sha256: str, place: str) -> Jar:
    group, artifact, version, *classifier = coordinate.split(":")
    return Jar(
        group=group,
        artifact=artifact,
        version=version,
        classifier="".join(classifier),
        sha256=sha256,
        place=Place(place),
    )
