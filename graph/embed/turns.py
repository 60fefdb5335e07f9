"""Turns at the processor: so many jobs at once, and no long list of them in another's way."""

import asyncio
import heapq
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TypeVar

T = TypeVar("T")


class Turns:
    """A few threads that callers share fairly; for one event loop at a time.

    A caller names the place of each job in its own list: 1, 2, 3 and so on. Jobs run in the
    order of place plus the place that was reached when they came (start-time fair queueing), so
    that one who comes with a single job waits for one job of a long list and not for all, and
    the long list still moves on whoever comes.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="embed")
        self._free = threads
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._arrivals = count()
        self._reached = 0.0

    async def run(self, work: Callable[[], T], place: float) -> T:
        """What `work` returns, done in a thread when its turn has come."""
        await self._turn(place)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            # Of a cancelled caller the thread may still run: the executor keeps the bound then.
            self._pass_on()

    def close(self) -> None:
        """Let the threads end when they have done what they are at."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, place: float) -> None:
        if self._free:
            self._free -= 1
            return
        granted = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._reached + place, next(self._arrivals), granted))
        try:
            await granted
        except asyncio.CancelledError:
            if not granted.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            place, _, granted = heapq.heappop(self._waiting)
            if not granted.done():
                self._reached = max(self._reached, place)
                granted.set_result(None)
                return
        self._free += 1
