"""What the library raises."""
from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake in a scene."""

    file: str
    line: int  #: from 1; 0 if the scene is not from a file
    column: int
    path: str  #: e.g. bodies[2].shapes[0].sphere.radius
    text: str


class InputError(ValueError):
    """A scene or an argument is wrong. `problems` lists all mistakes of a scene; it is empty for arguments."""

    problems: list = []


class NumericalError(ArithmeticError):
    """Something has no numerical answer: a loop that cannot close, a run that failed."""


class LimitError(RuntimeError):
    """A declared limit was met; the text says how to raise it."""
