"""The exceptions that the library raises."""
from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake in a scene.

    >>> from tenpin import Problem
    >>> Problem(file="mine.yaml", line=3, column=9, path="bodies[0].mass", text="out of range").line
    3
    """

    file: str
    line: int  #: from 1; 0 if the scene is not from a file
    column: int
    path: str  #: e.g. bodies[2].shapes[0].sphere.radius
    text: str


class InputError(ValueError):
    """A scene or an argument is wrong. `problems` lists all mistakes of a scene; it is empty for arguments.

    >>> import tenpin
    >>> try:
    ...     tenpin.load("tenpin: 1\\nbodies: [{name: a, mass: -1}]\\nuntil: 1\\n")
    ... except tenpin.InputError as error:
    ...     [(p.line, p.path) for p in error.problems]
    [(2, 'bodies[0].mass')]
    """

    problems: list = []


class NumericalError(ArithmeticError):
    """A problem has no numerical solution, for example a loop that cannot close.

    >>> import tenpin
    >>> issubclass(tenpin.NumericalError, ArithmeticError)
    True
    """


class LimitError(RuntimeError):
    """A documented limit was exceeded; the text says how to raise it.

    >>> import tenpin
    >>> issubclass(tenpin.LimitError, RuntimeError)
    True
    """
