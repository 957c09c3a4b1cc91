"""Scenes: files, text, dictionaries."""
import json
import math
import os

import numpy as np

from . import _core
from ._arguments import items
from ._errors import InputError

Scene = _core.Scene
_ROBOTS = (".urdf", ".xml", ".mjcf")


def to_yaml(value, path="scene"):
    """A value of a scene as the scene format writes it."""
    if isinstance(value, dict):
        items = (f"{json.dumps(str(k))}: {to_yaml(v, f'{path}.{k}')}" for k, v in value.items())
        return "{" + ", ".join(items) + "}"
    if isinstance(value, np.ndarray):
        return to_yaml(value.tolist(), path)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(to_yaml(v, f"{path}[{i}]") for i, v in enumerate(value)) + "]"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or isinstance(value, (int, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{path}: got {value}, want a finite number")
        return repr(value)
    raise InputError(f"{path}: got a {type(value).__name__}, want a dict, list, number, text or flag")


def make_scene(scene, method=None, set=None):
    """A Scene from a file, YAML text, a dict or a Scene."""
    changes = [(str(path), value if isinstance(value, str) else to_yaml(value, path))
               for path, value in items({} if set is None else set, "set")]
    if method is not None:
        name, *settings = str(method).split(":")
        changes = [(f"method.{name}.{s.partition('=')[0]}", s.partition("=")[2]) for s in settings] + changes
        method = name
    if isinstance(scene, Scene):
        if method is None and not changes:
            return scene
        return Scene.make(scene.to_yaml(), True, method or "", changes)
    if isinstance(scene, dict):
        whole = {"tenpin": 1, **scene}
        whole.setdefault("until", 1)
        return Scene.make(to_yaml(whole) + "\n", True, method or "", changes)
    if isinstance(scene, os.PathLike):
        scene = os.fspath(scene)
    if not isinstance(scene, str):
        raise InputError(f"scene: got a {type(scene).__name__}, want a file, YAML text, a dict or a Scene")
    is_text = "\n" in scene or scene.lstrip().startswith("{")
    return Scene.make(scene, is_text, method or "", changes)


def load(scene, method=None, set=None, threads=1):
    """A Simulation of a scene: a file (.yaml, .urdf, .xml), YAML text, a dict or a Scene.

    `method` runs it by another method, with settings as on the command line
    ("time-stepping:step=0.001"); `set` changes values: {"bodies.ball.mass": 2}.

    >>> import tenpin
    >>> sim = tenpin.load("{tenpin: 1, bodies: [{name: b, mass: 1, shapes: [{sphere: {radius: 1}}]}], until: 1}",
    ...                   method="impulse", set={"bodies.b.mass": 2})
    >>> float(sim.mass_matrix()[0, 0])
    2.0
    >>> tenpin.load({"bodies": [{"name": "b", "mass": -1}]})
    Traceback (most recent call last):
      ...
    tenpin._errors.InputError: text:1:...: bodies[0].mass: ...
    """
    from ._simulation import Simulation
    return Simulation(make_scene(scene, method, set), threads)
