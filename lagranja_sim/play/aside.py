"""Playing beside the main thread, which is left free to hear Ctrl-C."""

import contextvars
import functools
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import ParamSpec, TypeVar

MOMENT = 0.1  # seconds after which the main thread looks up
NAME = "beside the main thread"
P = ParamSpec("P")
R = TypeVar("R")


def off_main_thread(function: Callable[P, R]) -> Callable[P, R]:
    """A function that a thread of its own carries out where the main thread calls it.

    Python hears signals in the main thread alone, and there not before compiled code returns, which a policy's may never do. The thread is
    given up when the main thread is interrupted, and ends with the process.
    """

    @functools.wraps(function)
    def called(*arguments: P.args, **options: P.kwargs) -> R:
        if threading.current_thread() is not threading.main_thread():
            return function(*arguments, **options)
        result: Future[R] = Future()
        task = functools.partial(
            contextvars.copy_context().run, function, *arguments, **options
        )  # numpy's settings are a part of the context
        threading.Thread(target=_carry_out, args=(result, task), name=NAME, daemon=True).start()
        while not wait([result], MOMENT).done:
            pass  # a signal may have come in another thread, which ends no waiting here
        return result.result()

    return called


def is_under_way() -> bool:
    """Whether some such thread, perhaps one given up, is still at work."""
    return any(thread.name == NAME for thread in threading.enumerate())


def is_ctrl_c(error: BaseException) -> bool:
    """Whether it is the user who interrupts, and not a policy that raises the same."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def _carry_out(result: Future[R], task: Callable[[], R]) -> None:
    try:
        result.set_result(task())
    except BaseException as error:
        result.set_exception(error)
