"""The service of a home on this machine: where it listens and where its keys are."""

from dataclasses import dataclass
from pathlib import Path

from hippograph.graph.engine.home import Home
from hippograph.schema.settings import process_settings

# What a service that listens on every address is reached by from its own machine.
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - read, not bound


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalService:
    """The service of one home, running or not."""

    home: Home
    url: str


def local_service(home: Path | None) -> LocalService:
    """The service of `home`, HIPPOGRAPH_HOME or the default home."""
    settings = process_settings(home=home).settings
    folder = Home(settings.home)
    started = folder.started("api")
    port = started.ports["api"] if started else settings.server.port
    return LocalService(home=folder, url=f"http://{authority(settings.server.host, port)}")


def authority(host: str, port: int) -> str:
    """Host and port as an address has them; one that listens everywhere is met at home."""
    host = _ANYWHERE.get(host, host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
