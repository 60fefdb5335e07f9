"""Texts to vectors, off the event loop."""

import asyncio
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from hippograph.graph.embed.kept import Kept, KeptVectors, key_of
from hippograph.graph.embed.models import LoadedModel, load
from hippograph.graph.embed.pieces import Piece
from hippograph.graph.embed.turns import Turns
from hippograph.schema.embedding import (
    QUERY_TOKENS,
    Embedded,
    ModelIdentity,
    Role,
    direction,
)
from hippograph.schema.errors import InvalidError, UnavailableError
from hippograph.schema.settings import EmbeddingSettings

T = TypeVar("T")

# What one job may hold: a query waits for one of them at most, about 0.1 s.
JOB_PIECES = 16
JOB_TOKENS = 512
JOB_TEXTS = 256
JOB_CHARACTERS = 64_000
# Cut on the event loop: a thread takes longer to come than so little text to be cut, 0.3 ms.
SHORT_CHARACTERS = 2_000
# Up to four queries go ahead of a waiting job; then it is that job's turn.
QUERY_PLACE = 0.25

UNREADABLE = "holds nothing that the embedding model can read"
HALF_A_PAIR = "holds half of a surrogate pair, not valid text"


class Embedder:
    """One model, shared by all callers of a process; for one event loop at a time."""

    def __init__(self, model: LoadedModel, settings: EmbeddingSettings) -> None:
        self._model = model
        self._turns = Turns(settings.threads)
        self._kept = KeptVectors(settings.cache_entries)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is: to be stored with each vector."""
        return self._model.identity

    def has_tokens(self, text: str) -> bool:
        """Whether the model would read anything at all of a text; quick, whatever its length.

        Texts of blanks, controls or zero-width characters would all get one same vector.
        Raises InvalidError for a lone surrogate.
        """
        _utf8(text, "")
        return self._model.cutter.has_tokens(text)

    async def passages(self, texts: Sequence[str]) -> list[Embedded]:
        """Each text as one to be found, in order; all of a long one counts, in pieces.

        Raises InvalidError before anything is embedded, with the index when there are several
        texts, for one without a token or with a lone surrogate; UnavailableError when the model
        fails. No vector depends on what else is in the list.
        """
        return await self._embedded(Role.PASSAGE, texts)

    async def query(self, text: str) -> Embedded:
        """A text as one to find others by; goes ahead of passages that wait.

        Of a long one the first pieces count, up to QUERY_TOKENS tokens. Raises InvalidError as
        `passages` does.
        """
        [embedded] = await self._embedded(Role.QUERY, [text])
        return embedded

    async def check(self) -> None:
        """Embed one word afresh, whatever is kept. Raises UnavailableError when that fails."""
        await self._fresh(Role.QUERY, [("ready", "")])

    def close(self) -> None:
        """Let the threads end; what is kept is still answered."""
        self._turns.close()

    async def _embedded(self, role: Role, texts: Sequence[str]) -> list[Embedded]:
        places = [f"at index {at} " if len(texts) > 1 else "" for at in range(len(texts))]
        keys = [
            key_of(role, _utf8(text, place)) for text, place in zip(texts, places, strict=True)
        ]
        found = {key: kept for key in keys if (kept := self._kept.get(key))}
        missing = {key: at for at, key in enumerate(keys) if key not in found}
        if missing:
            fresh = await self._fresh(
                role, [(texts[at], places[at]) for at in missing.values()]
            )
            for key, kept in zip(missing, fresh, strict=True):
                found[key] = kept
                self._kept.put(key, kept)
        return [found[key].shown() for key in keys]

    async def _fresh(self, role: Role, texts: Sequence[tuple[str, str]]) -> list[Kept]:
        """The vectors of texts, each given with its place for an error."""
        cut = await self._cut(role, [text for text, _ in texts])
        for pieces, (_, place) in zip(cut, texts, strict=True):
            if not pieces:
                raise InvalidError("text", place + UNREADABLE)
        vectors = iter(await self._vectors(role, list(chain.from_iterable(cut))))
        fresh: list[Kept] = []
        for pieces, (_, place) in zip(cut, texts, strict=True):
            vector = await _mean(list(islice(vectors, len(pieces))))
            if not any(vector):
                raise InvalidError("text", place + UNREADABLE)
            tokens = sum(piece.new_tokens for piece in pieces)
            fresh.append(Kept(vector, len(pieces), tokens))
        return fresh

    async def _cut(self, role: Role, texts: Sequence[str]) -> list[list[Piece]]:
        def job(some: Sequence[str]) -> list[list[Piece]]:
            return [self._pieces(role, text) for text in some]

        sizes = [len(text) for text in texts]
        if sum(sizes) <= SHORT_CHARACTERS:
            return job(texts)
        parts = _parts(sizes, JOB_TEXTS, JOB_CHARACTERS)
        return await self._done(role, [partial(job, texts[part]) for part in parts])

    async def _vectors(self, role: Role, pieces: Sequence[Piece]) -> list["array[float]"]:
        def job(some: Sequence[Piece]) -> list["array[float]"]:
            return self._model.vectors(role, [piece.text for piece in some])

        parts = _parts([piece.tokens for piece in pieces], JOB_PIECES, JOB_TOKENS)
        return await self._done(role, [partial(job, pieces[part]) for part in parts])

    async def _done(self, role: Role, jobs: Sequence[Callable[[], list[T]]]) -> list[T]:
        """The results of jobs that share the threads with other callers', in order."""
        first = QUERY_PLACE if role is Role.QUERY else 1
        runs = [self._turns.run(job, first + at) for at, job in enumerate(jobs)]
        try:
            done = await asyncio.gather(*runs)
        except Exception as error:  # the runtime's own errors have no common type
            raise UnavailableError("the embedding model", "does not answer") from error
        return list(chain.from_iterable(done))

    def _pieces(self, role: Role, text: str) -> list[Piece]:
        pieces = self._model.cutter.pieces(text, self._model.prefixes[role])
        return list(_first(pieces) if role is Role.QUERY else pieces)


async def open_embedder(
    name: str, *, cache: Path, model_jar: Path | None, settings: EmbeddingSettings
) -> Embedder:
    """The embedder of a model by the name in the settings, ready to use.

    `model_jar` is the file of a model in the table `MODELS`; any other name is fetched by
    fastembed. Raises SetupError when there is no such model or its file can't be had.
    """
    return Embedder(await asyncio.to_thread(load, name, cache, model_jar), settings)


async def _mean(vectors: Sequence["array[float]"]) -> "array[float]":
    if len(vectors) == 1:
        return vectors[0]
    # Of a text of 64 KiB this takes milliseconds, too long for the event loop.
    mean = await asyncio.to_thread(direction, vectors)
    return array("f", mean or [])


def _first(pieces: Iterator[Piece]) -> Iterator[Piece]:
    left = QUERY_TOKENS
    for piece in pieces:
        left -= piece.tokens
        if left < 0:
            return
        yield piece


def _parts(sizes: Sequence[int], most: int, budget: int) -> Iterator[slice]:
    """A sequence in parts of at most so many, and of no more than the budget unless single."""
    start, spent = 0, 0
    for at, size in enumerate(sizes):
        if at > start and (at - start == most or spent + size > budget):
            yield slice(start, at)
            start, spent = at, 0
        spent += size
    if sizes:
        yield slice(start, len(sizes))


def _utf8(text: str, place: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidError("text", place + HALF_A_PAIR) from error
