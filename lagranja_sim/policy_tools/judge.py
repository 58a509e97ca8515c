"""Judging a policy in processes of their own: whether it loops, crashes or ends there, it harms nothing else.

In the first process the ends of arrays are minded (`LAGRANJA_CHECKED`); a policy that is legal there is measured in the second one, which is
like that of a run.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from lagranja_sim.policy_tools.check import SIZE, TESTS, Check, Finding, Size, named
from lagranja_sim.runs.setting import open_components
from lagranja_sim.runs.simulate import Listener

MOMENT = 0.1  # seconds after which the process that waits looks up, and hears Ctrl-C
LIMITS = {"loading": 60.0, "compiling": 600.0, "asking": 30.0, "playing": 600.0}  # seconds, by what the process says it is doing
OVERDUE = {"loading": "it does not load", "compiling": "it is not ready", "asking": "it does not choose", "playing": "games do not end"}
CHECKED_TESTS, OTHER_TESTS = TESTS[:-1], TESTS[-1:]


@dataclass(frozen=True)
class Case:
    """A policy, as it is called, with the rules it plays under and how much is tested."""

    policy: str
    variant: str | None
    folder: str | None
    size: Size = field(default_factory=lambda: SIZE)

    def findings(self, listener: Listener) -> Iterator[Finding]:
        """One after the other, as they are found."""
        for tests in (CHECKED_TESTS, OTHER_TESTS):
            for finding in Judge(self, tests, listener).findings():
                yield finding
                if finding.forbids_more:
                    return


# --- the process that waits ------------------------------------------------------------------------------------------------------------


class Judge:
    """A process that tests, and what was last heard of it."""

    def __init__(self, case: Case, tests: tuple[str, ...], listener: Listener) -> None:
        context = multiprocessing.get_context("spawn")
        self.ear, self.mouth = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(self.mouth, case, tests), daemon=True)
        self.tests, self.listener, self.compiling = list(tests), listener, contextlib.ExitStack()
        self.doing, self.what = "compiling", ""

    def findings(self) -> Iterator[Finding]:
        """What it finds; if it says no more, what became of it is the finding of the test it was at."""
        with environment("LAGRANJA_CHECKED", "1" if self.tests[0] in CHECKED_TESTS else "0"):
            self.process.start()
        self.mouth.close()
        try:
            while message := self._message():
                if isinstance(message, Finding):
                    self.tests.remove(message.name)
                    yield message
                else:
                    self._note(*message)
        except Ended as end:
            yield end.finding(self.tests[0])
        finally:
            self.compiling.close()
            self.process.kill()
            self.process.join()

    def _note(self, doing: str, what: str) -> None:
        """What it does now; compiling may take so long that whoever looks on should know."""
        if doing != "compiling":
            self.compiling.close()
        elif self.doing != doing or not self.what:
            self.tell = self.compiling.enter_context(self.listener.compiling())
        self.doing, self.what = doing, what
        if doing == "compiling":
            self.tell(what)

    def _message(self) -> Any:
        """The next message: a finding, what it does now, or None when it is done."""
        patience = time.monotonic() + LIMITS[self.doing]
        while not self.ear.poll(MOMENT):
            if time.monotonic() > patience:
                raise Ended(f"{OVERDUE[self.doing]} within {LIMITS[self.doing]:.0f} s", self.what)
        try:
            return self.ear.recv()
        except EOFError:
            self.process.join()
            raise Ended(how_it_ended(self.process.exitcode), self.what) from None


class Ended(Exception):
    """The process says no more: why, and what it was doing."""

    def finding(self, test: str) -> Finding:
        """As what the test found."""
        why, what = self.args
        return Finding(test, False, f"{why} ({what})" if what else why)


def how_it_ended(code: int | None) -> str:
    """In words."""
    if code is not None and code < 0:
        return f"it crashes: {(signal.strsignal(-code) or 'killed').lower()} ({signal.Signals(-code).name})"
    return f"it ends the process with exit code {code}"


@contextlib.contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """A variable set for the processes that are started meanwhile."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name) if before is None else os.environ.update({name: before})


# --- the process that tests ------------------------------------------------------------------------------------------------------------


def work(mouth: Connection, case: Case, tests: tuple[str, ...]) -> None:
    """Test, and tell of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits
    threading.Thread(target=end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # stdout is for findings; what a policy prints goes to stderr
    policy = named(case.policy)
    check = Check(open_components(policy.game, case.folder, case.variant), policy, case.size, lambda *told: mouth.send(told))
    for finding in check.findings(tests):
        mouth.send(finding)
    mouth.send(None)


def end_with_parent() -> None:
    """Whatever a policy is at, nobody waits for it any more."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
