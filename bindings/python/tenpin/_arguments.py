"""Arguments of the wrong type raise InputError with the argument's name."""
import numbers
import os

import numpy as np

from ._errors import InputError


def number(value, name):
    """A float."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: got {value!r:.40}, want a number") from None


def whole(value, name, least=None, most=None):
    """An int, from `least` to `most` if these are given."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Integral, np.integer)):
        raise InputError(f"{name}: got {value!r:.40}, want a whole number")
    value = int(value)
    if (least is not None and value < least) or (most is not None and value > most):
        raise InputError(f"{name}: got {value}, want {least} to {most}")
    return value


def array(value, name):
    """A numpy array of floats."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: want numbers") from None


def text(value, name):
    """A str."""
    if not isinstance(value, str):
        raise InputError(f"{name}: got {value!r:.40}, want a text")
    return value


def path(value, name="file"):
    """The name of a file. Numbers are refused: they would be taken for open files of the process."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{name}: got {value!r:.40}, want the name of a file")
    return os.fspath(value)


def function(value, name):
    """A callable."""
    if not callable(value):
        raise InputError(f"{name}: got {value!r:.40}, want a function")
    return value


def items(value, name, want="a dict"):
    """The pairs of a dict."""
    if not hasattr(value, "items"):
        raise InputError(f"{name}: got a {type(value).__name__}, want {want}")
    return value.items()
