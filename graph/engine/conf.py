"""How the managed Neo4j is set up: its conf, its memory, its command line."""

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

from hippograph.graph.engine.install import Installation
from hippograph.graph.engine.java import VECTOR_MODULE, Java
from hippograph.schema.settings import Settings

MEBIBYTE = 1024 * 1024
SHARE = 8  # an eighth of the machine's memory each for heap and page cache
HEAP_MB = (512, 4096)
PAGE_CACHE_MB = (256, 8192)
UNSAFE_OPTION_SINCE = 23  # an older Java does not know the option and would not start

OPTIONS = (
    "-XX:+UseG1GC",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dlog4j2.disable.jmx=true",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)

# What Neo4j tells its users goes where the JVM prints, so that one file says why it failed.
USER_LOGS = """\
<Configuration status="ERROR" packages="org.neo4j.logging.log4j">
  <Appenders>
    <Console name="console" target="SYSTEM_OUT">
      <PatternLayout pattern="%d{yyyy-MM-dd HH:mm:ss.SSSZ}{GMT+0} %-5p %m%n"/>
    </Console>
  </Appenders>
  <Loggers>
    <Root level="INFO"><AppenderRef ref="console"/></Root>
  </Loggers>
</Configuration>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Memory of the managed Neo4j in MiB."""

    heap: int
    page_cache: int


def memory_for(settings: Settings, machine_bytes: int) -> Memory:
    """What the settings say, or an eighth of the machine within bounds."""
    share = machine_bytes // MEBIBYTE // SHARE
    return Memory(
        heap=settings.neo4j.heap_mb or _within(share, HEAP_MB),
        page_cache=settings.neo4j.page_cache_mb or _within(share, PAGE_CACHE_MB),
    )


def machine_bytes() -> int:
    """The memory of this machine."""
    return psutil.virtual_memory().total


def conf(
    installation: Installation, memory: Memory, *, bolt_port: int, browser_port: int
) -> str:
    """The text of neo4j.conf."""
    lines = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{bolt_port}",
        "server.bolt.advertised_address": f"localhost:{bolt_port}",
        "server.http.listen_address": f"127.0.0.1:{browser_port}",
        "server.http.advertised_address": f"localhost:{browser_port}",
        "server.https.enabled": "false",
        "server.directories.lib": _escaped(installation.lib),
        "server.directories.plugins": _escaped(installation.plugins),
        "server.memory.pagecache.size": f"{memory.page_cache}m",
        # Each log of transactions takes 256 MB of disk at once otherwise, there are two.
        "db.tx_log.preallocate": "false",
        "dbms.security.procedures.unrestricted": "gds.*",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",  # Browser reports usage otherwise
        # The databases are closed by then; it would only wait 5 seconds twice.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        "db.logs.query.enabled": "OFF",  # queries carry what was remembered
    }
    return "".join(f"{key}={value}\n" for key, value in lines.items())


def command(java: Java, installation: Installation, memory: Memory, home: Path) -> list[str]:
    """The command line of Neo4j with its home at `home`."""
    classpath = os.pathsep.join(f"{one}/*" for one in (installation.plugins, installation.lib))
    return [
        str(java.path),
        "-cp",
        classpath,
        f"-Xms{min(memory.heap, HEAP_MB[0])}m",
        f"-Xmx{memory.heap}m",
        f"-XX:ErrorFile={home}/logs/crash-%p.log",
        *OPTIONS,
        *(["--sun-misc-unsafe-memory-access=allow"] * (java.major >= UNSAFE_OPTION_SINCE)),
        *([f"--add-modules={VECTOR_MODULE}"] * java.has_vector),
        "org.neo4j.server.Neo4jCommunity",
        home_option(home),
        f"--config-dir={home / 'conf'}",
        "--console-mode",  # else its log stays silent on standard output
    ]


def home_option(home: Path) -> str:
    """The argument by which the process of a home is known."""
    return f"--home-dir={home}"


def _within(count: int, bounds: tuple[int, int]) -> int:
    return min(max(count, bounds[0]), bounds[1])


def _escaped(path: Path) -> str:
    return str(path).replace("\\", "\\\\")
