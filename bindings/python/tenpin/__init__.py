"""Rigid bodies in contact, every step certified.

>>> import tenpin
>>> sim = tenpin.load({
...     "bodies": [
...         {"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
...         {"name": "ball", "mass": 1, "position": [0, 0, 1.1], "shapes": [{"sphere": {"radius": 0.1}}]},
...     ],
... })
>>> report = sim.advance_to(0.4)
>>> report.certified
True
>>> bool(abs(sim.position("ball")[2] - (1.1 - 0.5 * 9.81 * 0.4 ** 2)) < 1e-6)
True

Read docs/python.md for the rest.
"""
from . import gymnasium
from ._batch import Batch
from ._errors import InputError, LimitError, NumericalError, Problem
from ._run import Comparison, Run, compare, read, simulate
from ._scene import Scene, load
from ._simulation import MODES, Linearization, Simulation, Snapshot, StepReport
from ._solve import impact, solve_friction, solve_lcp
from ._study import Study

__version__ = "0.1.0"
__all__ = [
    "Batch", "Comparison", "InputError", "LimitError", "Linearization", "MODES", "NumericalError", "Problem", "Run", "Scene",
    "Simulation", "Snapshot", "StepReport", "Study", "compare", "gymnasium", "impact", "load", "read", "simulate",
    "solve_friction", "solve_lcp",
]
