"""How policies are called: `name`, `name:weight=number,weight=number`, `name:@weights.toml`; several with commas between them.

A path with a comma in it stands in double quotes: `name:@"my,weights.toml"`; a double quote in it is written twice. No quotes are needed
otherwise.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from lagranja_sim.policy.errors import PolicyError

COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')  # not within quotes
IN_QUOTES = re.compile(r'"((?:[^"]|"")*)"')


@dataclass(frozen=True)
class Call:
    """The parts of a call."""

    name: str
    files: tuple[str, ...]  # paths of weights files
    settings: tuple[str, ...]  # `weight=number`

    @classmethod
    def of(cls, text: str) -> "Call":
        name, _, settings = text.strip().partition(":")
        pieces = pieces_of(settings)
        files = tuple(path_of(piece) for piece in pieces if piece.startswith("@"))
        return cls(name.strip(), files, tuple(piece for piece in pieces if not piece.startswith("@")))

    def __str__(self) -> str:
        settings = ",".join((*map(spell_path, self.files), *self.settings))
        return f"{self.name}:{settings}" if settings else self.name


def split_policies(text: str) -> list[str]:
    """`a:x=1,y=2,b` is the two policies `a:x=1,y=2` and `b`: a piece that begins with `name=` or `@` belongs to the policy before it."""
    policies: list[str] = []
    for piece in pieces_of(text):
        if policies and re.match(r'@|[^:"]*=', piece):
            policies[-1] += f",{piece}"
        else:
            policies.append(piece)
    return policies


def pieces_of(text: str) -> list[str]:
    """The pieces between commas; a comma in quotes does not separate."""
    if text.count('"') % 2:
        raise PolicyError(f"{text}: a double quote has no second one; within quotes it is written twice")
    return [piece.strip() for piece in COMMA.split(text) if piece.strip()]


def path_of(piece: str) -> str:
    """The path of `@path` or `@"path"`."""
    path = piece[1:].strip()
    if not path:
        raise PolicyError(f"{piece}: the path of a weights file stands after the @, as in greedy:@mine.toml")
    quoted = IN_QUOTES.fullmatch(path)
    if '"' in path and not quoted:
        raise PolicyError(f'{piece}: a path is in quotes as a whole or not at all: @"my,weights.toml"')
    return quoted[1].replace('""', '"') if quoted else path


def spell_path(path: str) -> str:
    """A path as a call spells it: the inverse of `path_of`."""
    return '@"{}"'.format(path.replace('"', '""')) if re.search('[,"]', path) or path != path.strip() else f"@{path}"


def with_paths(text: str, change: Callable[[str], str]) -> str:
    """A call with the paths of its weights files changed."""
    call = Call.of(text)
    return str(Call(call.name, tuple(map(change, call.files)), call.settings)) if call.files else text


def exact(number: float) -> str:
    """The shortest text for a number that is no other number's: `2`, `0.1`, `2.0000001`."""
    return repr(number + 0.0).removesuffix(".0")  # -0.0 is 0
