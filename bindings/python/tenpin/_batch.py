"""Many worlds of one scene at once."""
from typing import NamedTuple

import numpy as np

from . import _core
from ._arguments import array, items, whole
from ._errors import InputError
from ._scene import make_scene

DEVICES = ("cpu", "cpu-batch", "gpu", "auto")
PRECISIONS = ("f64", "f32")


class GpuArray:
    """An array in a GPU's memory: `torch.as_tensor(x)`, `cupy.asarray(x)` and numba use it without a copy.

    The memory belongs to the batch. Do not write to it; `Batch.arrays` gives its address again after a reset."""

    def __init__(self, owner, address, shape, strides, size):
        self._owner = owner  # keeps the memory
        self.shape, self.strides = tuple(shape), tuple(strides)
        self.dtype = np.dtype(f"<f{size}")
        self.__cuda_array_interface__ = {"version": 3, "typestr": self.dtype.str, "shape": self.shape, "strides": self.strides,
                                         "data": (address, False)}

    def __repr__(self):
        return f"<tenpin.GpuArray {self.shape} of {self.dtype}>"


class BatchArrays(NamedTuple):
    """States in a batch's own memory, strided and without a copy: numpy views, or GpuArrays."""

    position: object  #: (worlds, bodies, 3)   m   centres of mass, from `origin`
    rotation: object  #: (worlds, bodies, 4)   w x y z of the principal axes of inertia
    velocity: object  #: (worlds, bodies, 6)   m/s of the centre of mass, then rad/s; world axes
    origin: np.ndarray  #: m
    principal: np.ndarray  #: (bodies, 4)   w x y z of the principal axes in each body's frame
    bodies: list  #: indices of the loose bodies in the scene


def _choice(value, name, choices):
    if value not in choices:
        raise InputError(f"{name}: got {value!r:.40}, want {', '.join(choices[:-1])} or {choices[-1]}")
    return value


def _own_scenes(scene, count, vary):
    """One scene for each world."""
    columns = {}
    for path, values in items(vary, "vary"):
        values = list(values) if hasattr(values, "__len__") and not isinstance(values, (str, dict)) else None
        if values is None or len(values) != count:
            raise InputError(f"vary: {path}: want {count} values, one for each world")
        columns[path] = values
    return [make_scene(scene, None, {path: values[k] for path, values in columns.items()}) for k in range(count)]


class Batch(_core.Batch):
    """Many worlds of one scene, stepped together.

    `device` is "cpu" (one simulation per world, with the bits it would have alone), "cpu-batch" (the source of the
    GPU's kernels on all cores), "gpu", or "auto" (a GPU if there is one, otherwise cpu-batch). `vary` gives each
    world its own numbers: {"bodies.ball.mass": masses}. The example of each method continues this one.

    >>> import tenpin
    >>> batch = tenpin.Batch({"bodies": [{"name": "b", "mass": 1, "shapes": [{"sphere": {"radius": 1}}]}]}, 3)
    >>> batch.force[1, 2] = 9.81      # the second one floats
    >>> batch.step(10)
    >>> batch.q[:, 2].round(6).tolist() == [round(float(batch.q[0, 2]), 6), 0.0, round(float(batch.q[0, 2]), 6)]
    True
    """

    def __init__(self, scene, count, threads=0, method=None, set=None, device="cpu", precision="f64", vary=None):
        count, threads = whole(count, "count", 1, 10 ** 6), whole(threads, "threads", 0, 1024)
        options = _choice(device, "device", DEVICES), _choice(precision, "precision", PRECISIONS), threads
        made = make_scene(scene, method, set)
        if vary is None:
            super().__init__(made, count, *options)
        else:
            super().__init__(_own_scenes(made, count, vary), *options)

    def step(self, steps=1):
        """Takes that many steps of each world that is ok.

        >>> batch.step(5)
        >>> batch.time.round(6).tolist()
        [0.0625, 0.0625, 0.0625]
        """
        _core.Batch.step(self, whole(steps, "steps", 0, 2 ** 31 - 1))

    def set_state(self, index, q, v):
        """Sets the coordinates q and velocities v of one world, at its current time.

        >>> batch.set_state(2, batch.q[1], batch.v[1])
        >>> bool((batch.q[2] == batch.q[1]).all())
        True
        """
        _core.Batch.set_state(self, whole(index, "index", 0, len(self) - 1), q, v)

    def set_start(self, index, q, v):
        """Changes the start of one world and sets the world to it.

        >>> batch.set_start(0, [0, 0, 5, 1, 0, 0, 0], [0] * 6)
        >>> batch.q[0, 2], batch.time[0]
        (5.0, 0.0)
        """
        _core.Batch.set_start(self, whole(index, "index", 0, len(self) - 1), q, v)

    def set_starts(self, q, v):
        """Changes the starts of all worlds, one row each, and sets the worlds to them.

        >>> starts = batch.q.copy()
        >>> starts[:, 2] = [1, 2, 3]
        >>> batch.set_starts(starts, batch.v * 0)
        >>> batch.q[:, 2].tolist()
        [1.0, 2.0, 3.0]
        """
        q, v = array(q, "q"), array(v, "v")
        for name, rows, like in (("q", q, self.q), ("v", v, self.v)):
            if rows.shape != like.shape:
                raise InputError(f"{name}: got shape {rows.shape}, want {like.shape}")
        for k in range(len(self)):
            _core.Batch.set_start(self, k, q[k], v[k])

    def reset(self, mask=None):
        """Resets the worlds whose flag is true to their starts; without a mask, all worlds.

        >>> batch.reset([True, False, False])
        >>> batch.time.round(6).tolist()
        [0.0, 0.041667, 0.041667]
        """
        mask = np.ones(len(self), bool) if mask is None else np.asarray(mask)
        if mask.dtype != bool or mask.ndim != 1:
            raise InputError("mask: want a vector of flags")
        self._reset(mask.tolist())

    @property
    def contacts(self):
        """The contacts of each world's last step: a table like Simulation.contacts, with the column "world".

        >>> len(batch.contacts)          # in free flight
        0
        """
        worlds, table = self._contacts()
        rows = np.empty(len(table), np.dtype([("world", np.int32)] + [(n, table.dtype[n]) for n in table.dtype.names]))
        rows["world"] = worlds
        for name in table.dtype.names:
            rows[name] = table[name]
        return rows

    @property
    def report(self):
        """One row per world: how it is computed (`path`), `ok`, `certified`, `steps`, the worst residual, the ledger.

        >>> bool(batch.report["certified"].all())
        True
        """
        columns = {name: np.asarray(column) for name, column in self._report().items()}
        rows = np.empty(len(self), np.dtype([(name, column.dtype if name != "path" else "U10") for name, column in columns.items()]))
        for name, column in columns.items():
            rows[name] = column
        return rows

    @property
    def arrays(self):
        """The states in the batch's own memory, as BatchArrays. Not available for the device "cpu".

        >>> ball = {"name": "b", "mass": 1, "shapes": [{"sphere": {"radius": 1}}]}
        >>> method = {"time-stepping": {"order": 1, "solver": "cone", "contact": {"compliance": 0.03}}}
        >>> worlds = tenpin.Batch({"bodies": [ball], "method": method, "until": 1}, 4, device="cpu-batch")
        >>> worlds.arrays.position.shape
        (4, 1, 3)
        """
        found = self._arrays()
        views = {name: found[name].get("view") if "view" in found[name] else GpuArray(self, **found[name])
                 for name in ("position", "rotation", "velocity")}
        return BatchArrays(**views, origin=found["origin"], principal=found["principal"], bodies=found["bodies"])

    def __repr__(self):
        return f"<tenpin.Batch of {len(self)}, {np.count_nonzero(self.ok)} of them well>"
