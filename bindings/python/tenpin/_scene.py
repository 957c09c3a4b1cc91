"""Scenes: files, text, dictionaries."""
import json
import math
import os
import tempfile

import numpy as np

from . import _core
from ._arguments import items
from ._errors import InputError

Scene = _core.Scene
_ROBOTS = (".urdf", ".xml", ".mjcf")


def to_yaml(value, path="scene"):
    """Writes a value of a scene in the scene format."""
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
    """Makes a Scene from a file, YAML text, a dict or a Scene."""
    changes = [(str(path), value if isinstance(value, str) else to_yaml(value, path))
               for path, value in items({} if set is None else set, "set")]
    if method is not None:
        name, *settings = str(method).split(":")
        changes = [(f"method.{name}.{s.partition('=')[0]}", s.partition("=")[2]) for s in settings] + changes
        method = name
    if isinstance(scene, Scene):
        if method is None and not changes:
            return scene
        return Scene._make(scene.to_yaml(), True, method or "", changes)
    text_or_file, is_text = _read_source(scene)
    return Scene._make(text_or_file, is_text, method or "", changes)


def _read_source(scene):
    """Returns (text or name of a file, True if text) for a scene that is not a Scene."""
    if isinstance(scene, dict):
        whole = {"tenpin": 1, **scene}
        whole.setdefault("until", 1)
        return to_yaml(whole) + "\n", True
    if isinstance(scene, os.PathLike):
        scene = os.fspath(scene)
    if not isinstance(scene, str):
        raise InputError(f"scene: got a {type(scene).__name__}, want a file, YAML text, a dict or a Scene")
    return scene, "\n" in scene or scene.lstrip().startswith("{")


def make_portable_text(scene, with_parameters):
    """Makes YAML text that needs no other file: with all values written out, or with the scene's own parameters and
    expressions."""
    if with_parameters and not isinstance(scene, Scene):
        text, is_text = _read_source(scene)
        if not is_text and not text.endswith(_ROBOTS):
            Scene._make(text, False)  # reports all problems with lines of the file
            with open(text, encoding="utf-8") as file:
                text, is_text = file.read(), True
        if is_text and _stands_alone(text):
            return text
    return make_scene(scene).to_yaml()


def _stands_alone(text):
    """True if the scene needs no files beside it."""
    with tempfile.TemporaryDirectory(prefix="tenpin-") as folder:
        file = os.path.join(folder, "scene.yaml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        try:
            Scene._make(file, False)
            return True
        except InputError:
            return False


def load(scene, method=None, set=None, threads=1):
    """Makes a Simulation of a scene: a file (.yaml, .urdf, .xml), YAML text, a dict or a Scene.

    `method` runs it with another method, with settings as on the command line
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
