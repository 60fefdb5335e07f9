"""Texts to vectors with the real default model."""

import asyncio
import math
from collections.abc import AsyncGenerator

import pytest

from hippograph.api.parts import opened_embedder
from hippograph.graph.embed import Embedder
from hippograph.schema.embedding import QUERY_TOKENS, Embedded
from hippograph.schema.errors import InvalidError, UnavailableError
from hippograph.schema.settings import EmbeddingSettings, process_settings

NURSE = "Alice lives in Berlin and works as a nurse."
OTHERS = ["Alice is a nurse who resides in Berlin.", "The compiler optimises tail calls.", "😀"]
UNREADABLE = ["", " \n\t", "\u200b\u200d", "\x00\x00", "\u0301", "\ufffd", "\u200b" * 20_000]


async def opened(*, threads: int = 2, cache_entries: int = 100) -> Embedder:
    embedding = EmbeddingSettings(threads=threads, cache_entries=cache_entries)
    settings = process_settings().settings
    return await opened_embedder(settings.model_copy(update={"embedding": embedding}))


@pytest.fixture
async def uncached() -> AsyncGenerator[Embedder]:
    embedder = await opened(cache_entries=0)
    yield embedder
    embedder.close()


def cosine(one: Embedded, other: Embedded) -> float:
    return math.fsum(x * y for x, y in zip(one.vector, other.vector, strict=True))


async def test_texts_that_mean_the_same_lie_close_and_others_far(embedder: Embedder) -> None:
    nurse, same, other = await embedder.passages([NURSE, *OTHERS[:2]])

    assert cosine(nurse, same) > 0.85
    assert cosine(nurse, other) < 0.2


async def test_a_vector_has_length_one_and_the_dimension_of_its_model(
    embedder: Embedder,
) -> None:
    [nurse] = await embedder.passages([NURSE])

    assert len(nurse.vector) == embedder.identity.dimension == 384
    assert math.isclose(math.hypot(*nurse.vector), 1.0, abs_tol=1e-6)
    assert (nurse.pieces, nurse.tokens) == (1, 10)


async def test_a_vector_is_the_same_alone_and_among_others(uncached: Embedder) -> None:
    [alone] = await uncached.passages([NURSE])
    among = await uncached.passages([*OTHERS, NURSE, "x " * 3_000])

    assert among[3] == alone


async def test_two_callers_at_once_get_what_each_gets_alone(uncached: Embedder) -> None:
    texts = [f"Memory number {number} is about hiking." for number in range(40)]
    alone = await uncached.passages(texts)

    halves = await asyncio.gather(uncached.passages(texts[:20]), uncached.passages(texts[20:]))

    assert [*halves[0], *halves[1]] == alone


async def test_one_text_twice_in_a_list_has_one_vector(uncached: Embedder) -> None:
    first, other, again = await uncached.passages([NURSE, OTHERS[1], NURSE])

    assert first == again != other


async def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    assert await embedder.passages([]) == []


async def test_a_text_met_before_is_answered_without_the_model() -> None:
    embedder = await opened()
    fresh = await embedder.passages([NURSE, OTHERS[0]])
    question = await embedder.query(NURSE)
    embedder.close()

    assert await embedder.passages([OTHERS[0], NURSE]) == fresh[::-1]
    assert await embedder.query(NURSE) == question
    with pytest.raises(UnavailableError, match="does not answer"):
        await embedder.passages([OTHERS[1]])


async def test_the_text_not_used_for_longest_is_let_go_first() -> None:
    embedder = await opened(cache_entries=2)
    for text in (NURSE, OTHERS[0], NURSE, OTHERS[1]):
        await embedder.passages([text])
    embedder.close()

    await embedder.passages([NURSE, OTHERS[1]])
    with pytest.raises(UnavailableError, match="does not answer"):
        await embedder.passages([OTHERS[0]])


async def test_a_question_goes_ahead_of_lists_and_a_short_list_ahead_of_a_long_one(
    uncached: Embedder,
) -> None:
    texts = [f"Memory number {number} is about hiking." for number in range(480)]
    long = asyncio.create_task(uncached.passages(texts))
    await asyncio.sleep(0.01)
    short = asyncio.create_task(uncached.passages(texts[:80]))
    await asyncio.sleep(0.01)

    await uncached.query(NURSE)

    assert not short.done()
    await short
    assert not long.done()
    await long


async def test_the_loop_goes_on_while_texts_are_embedded(uncached: Embedder) -> None:
    storing = asyncio.create_task(uncached.passages(["x " * 3_000]))
    rounds = 0
    while not storing.done():
        rounds += 1
        await asyncio.sleep(0.001)

    assert rounds > 5


async def test_all_of_a_long_text_counts_in_pieces(embedder: Embedder) -> None:
    body = "We walked along the river and talked. " * 400
    plain, ending = await embedder.passages([body, body + "My bank account was robbed."])

    assert plain.pieces > 10
    assert ending.vector != plain.vector
    assert ending.tokens == plain.tokens + 6
    assert math.isclose(math.hypot(*ending.vector), 1.0, abs_tol=1e-6)


async def test_a_long_text_without_blanks_is_embedded_too(embedder: Embedder) -> None:
    [chinese] = await embedder.passages(["记" * 4_000])

    assert chinese.tokens == 4_000
    assert chinese.pieces > 16


async def test_of_a_very_long_question_the_beginning_counts(embedder: Embedder) -> None:
    beginning = "Where did we walk along the river? " * 1_500

    one = await embedder.query(beginning)
    other = await embedder.query(beginning + "And who robbed the bank?")

    assert one == other
    assert one.pieces > 1
    assert 0.75 * QUERY_TOKENS < one.tokens <= QUERY_TOKENS


async def test_a_question_of_usual_length_counts_as_a_whole(embedder: Embedder) -> None:
    question = "Where did we walk along the river? " * 60

    [passage] = await embedder.passages([question])

    assert await embedder.query(question) == passage


@pytest.mark.parametrize("text", UNREADABLE)
async def test_a_text_without_a_token_is_refused(embedder: Embedder, text: str) -> None:
    assert not embedder.has_tokens(text)
    with pytest.raises(InvalidError, match="nothing that the embedding model can read") as no:
        await embedder.passages([text])
    assert no.value.field == "text"


@pytest.mark.parametrize("text", ["a", "😀", "记", "?", "\u200b" * 20_000 + "x"])
async def test_a_text_with_a_token_is_told(embedder: Embedder, text: str) -> None:
    assert embedder.has_tokens(text)


async def test_half_of_a_surrogate_pair_is_refused(embedder: Embedder) -> None:
    with pytest.raises(InvalidError, match="text holds half of a surrogate pair"):
        embedder.has_tokens("a\ud800")
    with pytest.raises(InvalidError, match="text holds half of a surrogate pair"):
        await embedder.query("a\ud800")


@pytest.mark.parametrize("bad", ["\ud800", "\u0301", ""])
async def test_one_bad_text_is_named_and_spoils_no_other_call(
    embedder: Embedder, bad: str
) -> None:
    good, wrong = await asyncio.gather(
        embedder.passages([NURSE, OTHERS[0]]),
        embedder.passages([NURSE, bad, OTHERS[0]]),
        return_exceptions=True,
    )

    assert isinstance(wrong, InvalidError)
    assert str(wrong).startswith("text at index 1 holds")
    assert isinstance(good, list)


async def test_any_two_emoji_are_alike_so_a_vector_alone_tells_no_duplicate(
    embedder: Embedder,
) -> None:
    rocket, pizza = await embedder.passages(["🚀", "🍕"])

    assert cosine(rocket, pizza) > 0.999


async def test_a_check_embeds_afresh_and_tells_a_model_that_is_gone() -> None:
    embedder = await opened()
    await embedder.check()
    embedder.close()

    with pytest.raises(UnavailableError, match="the embedding model does not answer"):
        await embedder.check()
