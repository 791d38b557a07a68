"""Cases on a Dask cluster: the scheduler hands them out, and again when a worker is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from taut.sweep.errors import SweepError
from taut.sweep.processes import MOST_DEATHS
from taut.sweep.task import Outcome, Task, run_case

#: how long a scheduler, and then its first worker, is waited for [s]
PATIENCE = 10.0
#: cases that wait at the scheduler for each thread of the cluster: enough that none waits for us
AHEAD = 4


class Cluster:
    """A Dask cluster behind the address of its scheduler, e.g. tcp://10.0.0.5:8786."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        """Connect. Raises SweepError that says what is missing."""
        try:
            from distributed import Client
        except ModuleNotFoundError as error:
            raise SweepError(
                f"--scheduler needs the package {error.name!r}; install it with pip install 'taut[cluster]'"
            ) from None
        self.address = address
        try:
            self._client = Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise SweepError(
                f"--scheduler {address}: no Dask scheduler answers there ({_first_line(error)}). Start one with "
                "`dask scheduler` and workers with `dask worker ADDRESS`, or leave --scheduler out to run here."
            ) from None
        self._check_workers(patience)

    def _check_workers(self, patience: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            self._client.close()
            raise SweepError(
                f"--scheduler {self.address}: the scheduler has no workers; start some with `dask worker {self.address}`"
            ) from None
        ours = _version()
        for worker, found in self._client.run(_version_there).items():
            if found != ours:
                self._client.close()
                raise SweepError(
                    f"--scheduler {self.address}: the worker {worker} has {found or 'no taut'}, here is {ours}; "
                    "install the same version on all"
                )

    @property
    def about(self) -> str:
        """Where the cases run, in words."""
        threads = self._client.nthreads()
        return f"{len(threads)} workers with {sum(threads.values())} threads at {self.address}"

    def run(self, task: Task, rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[tuple[int, Outcome]]:
        """Run rows of the table; yields (place, outcome) as they come, in no order. Raises SweepError when the cluster is lost."""
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        client = self._client
        waiting = iter(rows)
        running: dict[Any, int] = {}

        def submit(count: int) -> list[Any]:
            futures = []
            for place, row in islice(waiting, count):
                # the task travels with every case, some kB: what was scattered beforehand is lost with a worker
                future = client.submit(run_case, task, row, pure=False)
                running[future] = place
                futures.append(future)
            return futures

        try:
            arriving = as_completed(submit(max(1, AHEAD * sum(client.nthreads().values()))), loop=client.loop)
            for future in arriving:
                place = running.pop(future)
                yield place, self._outcome(future, task, KilledWorker)
                arriving.update(submit(1))
        finally:
            client.cancel(list(running), force=True) if client.status == "running" else None
            client.close(timeout=2)

    def _outcome(self, future: Any, task: Task, killed: type[BaseException]) -> Outcome:
        if future.status == "cancelled" or future.status == "lost":
            raise SweepError(
                f"--scheduler {self.address}: the connection to the scheduler is lost; finished cases are safe. "
                "Run the same command with --resume, with or without a scheduler."
            )
        if future.status == "error":
            error = future.exception()
            worn_out = f"{MOST_DEATHS} or more workers were lost while they ran it"
            reason = worn_out if isinstance(error, killed) else f"{type(error).__name__}: {_first_line(error)}"
            return Outcome((float("nan"),) * len(task.measures), reason, 0.0)
        return Outcome(*future.result())


def _version() -> str:
    from taut import __version__
    from taut.core.jit import STEP_FOLDERS, source_hash

    return f"taut {__version__} ({source_hash(STEP_FOLDERS)[:8]})"


def _version_there() -> str:
    try:
        return _version()
    except ImportError:
        return ""


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
