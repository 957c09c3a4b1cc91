"""A stand-in for the package gymnasium, which Debian 12 does not have: what tenpin.gymnasium uses of it, no more.

Base classes are those of Gymnasium 1 in what they do with the seed and with attributes; see test_gymnasium.py."""
import importlib

import numpy as np

from . import envs, spaces, vector
from .envs.registration import register, registry

__version__ = "stand-in"


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None
    _np_random = None

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    @property
    def np_random(self):
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    @property
    def unwrapped(self):
        return self


def _find(entry_point):
    module, _, name = entry_point.partition(":")
    return getattr(importlib.import_module(module), name)


def make(id, **settings):
    return _find(registry[id]["entry_point"])(**settings)


def make_vec(id, num_envs=1, vectorization_mode="vector_entry_point", **settings):
    assert vectorization_mode == "vector_entry_point"
    return _find(registry[id]["vector_entry_point"])(num_envs=num_envs, **settings)
