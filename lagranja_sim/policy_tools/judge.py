"""Testing a policy in processes of its own, so that no loop, crash or exit in it harms anything else.

The first process checks the bounds of arrays (`LAGRANJA_CHECKED`); the speed of a policy that is legal there is measured in the second
one, which works like a run.
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

MOMENT = 0.1  # seconds between two looks of the waiting process, in which it notices Ctrl-C
LIMITS = {"loading": 60.0, "compiling": 600.0, "asking": 30.0, "playing": 600.0}  # seconds, by what the process says it is doing
OVERDUE = {"loading": "it does not load", "compiling": "it is not ready", "asking": "it does not choose", "playing": "games do not end"}
CHECKED_TESTS, OTHER_TESTS = TESTS[:-1], TESTS[-1:]


@dataclass(frozen=True)
class Case:
    """The call of a policy, with the rules it plays under and how much is tested."""

    policy: str
    variant: str | None
    folder: str | None
    size: Size = field(default_factory=lambda: SIZE)

    def findings(self, listener: Listener) -> Iterator[Finding]:
        """The findings of all tests, each as soon as it is there."""
        for tests in (CHECKED_TESTS, OTHER_TESTS):
            for finding in Judge(self, tests, listener).findings():
                yield finding
                if finding.forbids_more:
                    return


# --- the process that waits ------------------------------------------------------------------------------------------------------------


class Judge:
    """A process that tests, and what it said last."""

    def __init__(self, case: Case, tests: tuple[str, ...], listener: Listener) -> None:
        context = multiprocessing.get_context("spawn")
        self.receiver, self.sender = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(self.sender, case, tests), daemon=True)
        self.tests, self.listener, self.compiling = list(tests), listener, contextlib.ExitStack()
        self.doing, self.what = "compiling", ""

    def findings(self) -> Iterator[Finding]:
        """Its findings; if it ends early or takes too long, that is the finding of the test that it was running."""
        with environment("LAGRANJA_CHECKED", "1" if self.tests[0] in CHECKED_TESTS else "0"):
            self.process.start()
        self.sender.close()
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
        """Note what it does now, and tell the user of compiling, which may take long."""
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
        while not self.receiver.poll(MOMENT):
            if time.monotonic() > patience:
                raise Ended(f"{OVERDUE[self.doing]} within {LIMITS[self.doing]:.0f} s", self.what)
        try:
            return self.receiver.recv()
        except EOFError:
            self.process.join()
            raise Ended(how_it_ended(self.process.exitcode), self.what) from None


class Ended(Exception):
    """The process ended early or takes too long: why, and what it was doing."""

    def finding(self, test: str) -> Finding:
        """The finding of the test that was running."""
        why, what = self.args
        return Finding(test, False, f"{why} ({what})" if what else why)


def how_it_ended(code: int | None) -> str:
    """How a process ended, by its exit code."""
    if code is not None and code < 0:
        return f"it crashes: {(signal.strsignal(-code) or 'killed').lower()} ({signal.Signals(-code).name})"
    return f"it ends the process with exit code {code}"


@contextlib.contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """A variable for the processes that are started within."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name) if before is None else os.environ.update({name: before})


# --- the process that tests ------------------------------------------------------------------------------------------------------------


def work(sender: Connection, case: Case, tests: tuple[str, ...]) -> None:
    """Run the tests and send their findings."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits
    threading.Thread(target=end_with_parent, daemon=True).start()
    os.dup2(2, 1)  # stdout is for findings; what a policy prints goes to stderr
    policy = named(case.policy)
    check = Check(open_components(policy.game, case.folder, case.variant), policy, case.size, lambda *message: sender.send(message))
    for finding in check.findings(tests):
        sender.send(finding)
    sender.send(None)


def end_with_parent() -> None:
    """End with the parent, whatever the policy is doing, as nobody waits for it any more."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)
