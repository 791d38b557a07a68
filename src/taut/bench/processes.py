"""Fresh Python processes, timed from their start; each is ended by whoever started it, and no other."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

#: how long a child may take before it is given up [s]
LIMIT = 300.0
#: how long between two looks at the port [s]
LOOK = 0.02


class ChildError(RuntimeError):
    """A child that did not do what it was started for, with its last words."""


class Child:
    """A fresh process of this interpreter: `Child("-m", "taut.cli", "--help")`. Killed at the end if still there."""

    def __init__(self, *arguments: str, cache: Path | None = None, limit: float = LIMIT) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "TAUT_CALLABLE_KERNELS"}
        if cache is not None:
            environment["TAUT_CACHE_DIR"] = str(cache)
        self._what = " ".join(argument for argument in arguments if "\n" not in argument)  # not the text of a program
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *arguments], env=environment, text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        self._said: list[str] = []
        self._limit = threading.Timer(limit, self._process.kill)
        self._limit.daemon = True
        self._limit.start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._limit.cancel()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def until_end(self) -> float:
        """Time until it has ended [s]. Raises ChildError when it failed."""
        said, _ = self._process.communicate()
        spent = time.perf_counter() - self._started
        self._said += said.splitlines()
        if self._process.returncode != 0:
            raise self._failure()
        return spent

    def until_line(self, line: str) -> float:
        """Time until it prints a line [s]. Raises ChildError when it ends without."""
        assert self._process.stdout is not None
        for said in self._process.stdout:
            if said.strip() == line:
                return time.perf_counter() - self._started
            self._said.append(said.rstrip())
        self._process.wait()
        raise self._failure()

    def line(self, begins: str = "{") -> str:
        """The next line that begins so. Raises ChildError when it ends without."""
        assert self._process.stdout is not None
        for said in self._process.stdout:
            if said.startswith(begins):
                return said.strip()
            self._said.append(said.rstrip())
        self._process.wait()
        raise self._failure()

    def until_answer(self, port: int) -> float:
        """Time until a page is served at a port of this machine [s]. Raises ChildError when the child ends before."""
        while self._process.poll() is None:
            if answers(port):
                return time.perf_counter() - self._started
            time.sleep(LOOK)
        said, _ = self._process.communicate()
        self._said += said.splitlines()
        raise self._failure()

    def _failure(self) -> ChildError:
        words = "\n".join(self._said[-5:])
        return ChildError(f"{self._what} ended with {self._process.returncode}\n{words}")


def answers(port: int) -> bool:
    """Whether a page is served at a port of this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1.0)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
