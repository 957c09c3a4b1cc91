"""Solves single complementarity problems, friction problems and impacts."""
import os
from types import SimpleNamespace

import numpy as np

from . import _core
from ._arguments import array, number
from ._errors import InputError


def solve_lcp(M, q, tolerance=1e-12):
    """Finds z >= 0 with w = M z + q >= 0 and w z = 0, by Lemke's algorithm, certified.

    >>> import tenpin
    >>> answer = tenpin.solve_lcp([[2, 1], [1, 2]], [-5, -6])
    >>> answer.solved, answer.z.round(12).tolist()
    (True, [1.333333333333, 2.333333333333])
    """
    return SimpleNamespace(**_core.solve_lcp(M, q, number(tolerance, "tolerance")))


def solve_friction(W, q=None, mu=None, tolerance=1e-8):
    """Finds impulses r and velocities u = W r + q of contacts with Coulomb friction (rows: normal, two tangents).

    W is a dense or a scipy sparse matrix, or the name of an FCLIB file (HDF5), which contains q and mu, too.

    >>> import tenpin
    >>> answer = tenpin.solve_friction([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 0.3, 0.1], [0.5])
    >>> answer.solved, answer.r.round(6).tolist()
    (True, [1.0, -0.3, -0.1])
    """
    if isinstance(W, (str, os.PathLike)):
        if q is not None or mu is not None:
            raise InputError("q, mu: got both a file and numbers, want one of them")
        return SimpleNamespace(**_core.solve_friction_file(os.fspath(W), number(tolerance, "tolerance")))
    if q is None or mu is None:
        raise InputError("q, mu: got none, want numbers")
    if hasattr(W, "tocoo"):
        W = W.tocoo()
        rows, columns, values, shape = W.row, W.col, W.data, W.shape
    else:
        W = array(W, "W")
        if W.ndim != 2:
            raise InputError(f"W: got {W.ndim} dimensions, want a matrix")
        rows, columns = np.nonzero(W)
        values, shape = W[rows, columns], W.shape
    q = array(q, "q")
    if q.ndim != 1 or len(q) % 3 != 0:
        raise InputError(f"q: got shape {q.shape}, want a vector of three numbers per contact")
    if shape != (len(q), len(q)):
        raise InputError(f"W: got shape {shape}, want {(len(q), len(q))}")
    mu = array(mu, "mu")
    if mu.ndim > 1 or mu.size not in (1, len(q) // 3):
        raise InputError(f"mu: got shape {mu.shape}, want one number or {len(q) // 3}")
    mu = np.broadcast_to(mu, (len(q) // 3,))
    return SimpleNamespace(**_core.solve_friction(rows.astype(np.int32), columns.astype(np.int32), values, q, mu,
                                                   number(tolerance, "tolerance")))


def impact(W, v, law="energetic", e=0.0, mu=0.0):
    """One impact: W = J M^-1 J' (3x3, the normal last), v the velocity before; impulse and velocity after.

    >>> import numpy as np, tenpin
    >>> answer = tenpin.impact(np.eye(3), [0, 0, -1], law="newton", e=0.5)
    >>> answer.impulse.tolist(), answer.velocity.tolist()
    ([0.0, 0.0, 1.5], [0.0, 0.0, 0.5])
    """
    return SimpleNamespace(**_core.solve_impact(W, v, str(law), number(e, "e"), number(mu, "mu")))
