"""Texts cut into pieces that a model reads whole: nothing of a text is dropped unsaid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.schema.embedding import first_visible, stretches, token_windows

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LOOK_CHARACTERS = 256


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, or all of it."""

    text: str
    tokens: int
    new_tokens: int  # those that the piece before did not have


@dataclass(frozen=True, slots=True)
class Cutter:
    """A tokenizer that truncates and pads nothing, and how many tokens its model reads."""

    tokenizer: "Tokenizer"
    max_tokens: int

    def tokens(self, text: str) -> int:
        """How many tokens a short text has, special ones left out."""
        return len(self.tokenizer.encode(text, add_special_tokens=False))

    def has_tokens(self, text: str) -> bool:
        """Whether the model would read anything at all; quick, whatever the length."""
        at = first_visible(text)
        if at is None:
            return False
        starts = range(at, len(text), _LOOK_CHARACTERS)
        return any(self.tokens(text[start : start + _LOOK_CHARACTERS]) for start in starts)

    def pieces(self, text: str, prefix: str) -> Iterator[Piece]:
        """The pieces of a text in order, each with room for the prefix and special tokens.

        A text that fits is its own only piece. No piece: the text holds no token.
        """
        room = self.max_tokens - len(self.tokenizer.encode(prefix))
        for stretch in stretches(text):
            encoding = self.tokenizer.encode(stretch, add_special_tokens=False)
            count = len(encoding)
            if 0 < count <= room:
                yield Piece(stretch, count, count)
            elif count:
                offsets, past = encoding.offsets, 0
                for start, end in token_windows(encoding.word_ids, room):
                    part = stretch[offsets[start][0] : offsets[end - 1][1]]
                    yield from self._fitting(part, room, end - past)
                    past = end

    def _fitting(self, text: str, room: int, new: int) -> Iterator[Piece]:
        """The text, or halves of it if it has more tokens alone than it had among others."""
        tokens = self.tokens(text)
        if tokens <= room or len(text) == 1:
            yield Piece(text, tokens, new)
            return
        middle = len(text) // 2
        yield from self._fitting(text[:middle], room, new)
        yield from self._fitting(text[middle:], room, 0)
