"""Who comes when at the processor."""

import asyncio
import threading

import pytest

from hippograph.graph.embed.turns import Turns


class Busy:
    """One thread that is held until it is let go, and what ran on it after that, in order."""

    def __init__(self) -> None:
        self.turns = Turns(1)
        self.ran: list[str] = []
        self.free = threading.Event()

    async def hold(self) -> asyncio.Task[bool]:
        held = asyncio.create_task(self.turns.run(self.free.wait, 1))
        await asyncio.sleep(0)
        return held

    async def queued(self, name: str, place: float) -> asyncio.Task[None]:
        task = asyncio.create_task(self.turns.run(lambda: self.ran.append(name), place))
        await asyncio.sleep(0)
        return task

    def let_go(self) -> None:
        self.free.set()


async def test_one_job_waits_for_one_of_a_long_list_and_not_for_all() -> None:
    busy = Busy()
    held = await busy.hold()
    jobs = [await busy.queued(f"long {place}", place) for place in (1, 2, 3)]
    jobs.append(await busy.queued("short 1", 1))

    busy.let_go()
    await asyncio.gather(held, *jobs)

    assert busy.ran == ["long 1", "short 1", "long 2", "long 3"]


async def test_a_query_goes_ahead_of_all_that_waits() -> None:
    busy = Busy()
    held = await busy.hold()
    jobs = [await busy.queued(f"job {place}", place) for place in (1, 2)]
    jobs.append(await busy.queued("query", 0.25))

    busy.let_go()
    await asyncio.gather(held, *jobs)

    assert busy.ran == ["query", "job 1", "job 2"]


async def test_a_stream_of_queries_does_not_stop_the_others() -> None:
    busy = Busy()
    held = await busy.hold()
    job = await busy.queued("job", 1)

    async def ask() -> None:
        for _ in range(10):
            await busy.turns.run(lambda: busy.ran.append("query"), 0.25)

    askers = [asyncio.create_task(ask()) for _ in range(2)]
    await asyncio.sleep(0)
    busy.let_go()
    await asyncio.gather(held, job, *askers)

    assert busy.ran.index("job") <= 4


async def test_one_who_gives_up_passes_the_turn_on() -> None:
    busy = Busy()
    held = await busy.hold()
    first, second = await busy.queued("first", 1), await busy.queued("second", 2)

    first.cancel()
    busy.let_go()
    await asyncio.gather(held, second)

    assert busy.ran == ["second"]
    assert first.cancelled()


async def test_a_turn_given_to_one_who_gives_up_at_that_moment_is_not_lost() -> None:
    busy = Busy()

    async def hold() -> None:
        await busy.turns.run(busy.free.wait, 1)
        first.cancel()

    held = asyncio.create_task(hold())
    await asyncio.sleep(0)
    first, second = await busy.queued("first", 1), await busy.queued("second", 2)
    busy.let_go()
    await asyncio.wait_for(asyncio.gather(held, second), 30)

    assert busy.ran == ["second"]


async def test_a_job_that_fails_passes_the_turn_on() -> None:
    turns = Turns(1)

    with pytest.raises(ZeroDivisionError):
        await turns.run(lambda: 1 // 0, 1)

    assert await turns.run(lambda: "done", 1) == "done"


async def test_no_more_run_at_once_than_there_are_threads() -> None:
    turns = Turns(2)
    both = threading.Barrier(3, timeout=0.2)

    def meet() -> bool:
        try:
            both.wait()
        except threading.BrokenBarrierError:
            return False
        return True

    assert await asyncio.gather(*(turns.run(meet, 1) for _ in range(3))) == [False] * 3


async def test_as_many_run_at_once_as_there_are_threads() -> None:
    turns = Turns(2)
    both = threading.Barrier(2, timeout=30)

    places = await asyncio.gather(*(turns.run(both.wait, 1) for _ in range(2)))

    assert sorted(places) == [0, 1]
