"""A package registry on this machine, with jars of a few bytes, that can misbehave."""

import hashlib
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from hippograph.graph.engine.fetch import Registry
from hippograph.graph.engine.lock import Jar, Lock, Place


@dataclass(slots=True)
class Shelf:
    """What the registry hands out, by file name, and how often it was asked for it."""

    jars: dict[str, bytes] = field(default_factory=dict[str, bytes])
    asked: Counter[str] = field(default_factory=Counter[str])
    remotes: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def registry(self) -> Registry:
        """The way to it, for an impatient client."""
        return Registry(remotes=self.remotes, tries=2, pause_seconds=0.01, silence_seconds=5)


def a_jar(name: str, *, group: str = "org.example", place: Place = Place.LIB) -> Jar:
    return Jar(
        group=group,
        artifact=name,
        version="1.0",
        classifier="",
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        place=place,
    )


def a_lock(*names: str) -> Lock:
    return Lock(tuple(a_jar(name) for name in names))


@contextmanager
def shelf_with(lock: Lock) -> Generator[Shelf]:
    """A registry that has every jar of a lock."""
    shelf = Shelf({jar.name: jar.artifact.encode() for jar in lock.jars})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            shelf.asked[name] += 1
            content = shelf.jars.get(name)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        shelf.remotes["local"] = f"http://127.0.0.1:{server.server_port}"
        try:
            yield shelf
        finally:
            server.shutdown()
            thread.join()
