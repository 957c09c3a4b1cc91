"""A scene that runs."""
import html
from typing import NamedTuple

import numpy as np

from . import _core
from ._arguments import array, number, whole
from ._errors import InputError
from ._scene import make_scene

Snapshot = _core.Snapshot
StepReport = _core.StepReport
MODES = ("separating", "sliding", "sticking", "resting", "touching")  #: names of the numbers in contacts["mode"]


class Linearization(NamedTuple):
    """dx' = A dx + B du: x is (dq, v) with dq in the units of v, u are the joint forces."""

    A: np.ndarray  #: (2 nv, 2 nv)
    B: np.ndarray  #: (2 nv, nv)
    duration: float  #: s, from this state to the next
    through_contacts: bool  #: through the solved step; else by differences of whole steps
    why_differences: str  #: if not: what stands in the way
    kinks: list  #: where the step is not differentiable, in words

    @property
    def smooth(self):
        return not self.kinks


class NamedVector(np.ndarray):
    """A view of a vector of the simulation. Index it by joint or body name, or as any array.

    A joint with one coordinate gives a number, others a view."""

    def __array_finalize__(self, of):
        self._slices = getattr(of, "_slices", None)

    def __getitem__(self, key):
        if isinstance(key, str):
            part = self._find(key)
            view = np.ndarray.__getitem__(self.view(np.ndarray), part)
            return view if part.stop - part.start > 1 else float(view[0])
        return np.ndarray.__getitem__(self.view(np.ndarray), key)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            key = self._find(key)
        values = array(value, "value")
        if not np.isfinite(values).all():
            raise InputError("value: got a number that is not finite")
        try:
            np.ndarray.__setitem__(self, key, values)
        except ValueError as error:
            raise InputError(f"value: got shape {values.shape}: {error}") from None

    def _find(self, name):
        part = (self._slices or {}).get(name)
        if part is None:
            raise KeyError(f"no joint {name!r}; there are {', '.join(list(self._slices or {})[:8])}")
        if part.stop == part.start:
            raise KeyError(f"{name!r} does not move by itself")
        return part


def _named(array, slices):
    view = array.view(NamedVector)
    view._slices = slices
    return view


def _numbers(vector, part):
    return ", ".join(f"{x:.4g}" for x in np.asarray(vector)[part])


class Simulation(_core.Simulation):
    """Step it, read it, control it. Make one by `tenpin.load`.

    >>> import tenpin
    >>> sim = tenpin.load({
    ...     "bodies": [{"name": "bob", "mass": 1, "position": [0, 0, -1], "inertia": [0.1, 0.1, 0.1],
    ...                 "joint": {"hinge": {"axis": [0, 1, 0], "anchor": [0, 0, 1], "at": 0.1}}}]})
    >>> sim.q["bob"]
    0.1
    >>> sim.force["bob"] = 9.81 * 0.09983341664682815    # holds it: m g l sin(0.1)
    >>> _ = sim.advance_to(1)
    >>> round(sim.q["bob"], 6)
    0.1
    """

    def __init__(self, scene, threads=1):
        threads = whole(threads, "threads", 1, 1024)
        super().__init__(make_scene(scene), threads)
        self._threads = threads
        layout = self._layout()
        self._q_slices = {name: slice(q, q + nq) for name, _, q, nq, _, _ in layout}
        self._v_slices = {name: slice(v, v + nv) for name, _, _, _, v, nv in layout}
        self._index = {row[0]: k for k, row in enumerate(layout)}
        self.joint_kinds = {name: kind for name, kind, *_ in layout}
        self._q_view = _named(self._q(), self._q_slices)
        self._v_view = _named(self._v(), self._v_slices)
        self._force_view = _named(self._force(), self._v_slices)

    @property
    def q(self):
        """All coordinates: a read-only view that follows the simulation. `sim.q["cart"]` is one joint's."""
        return self._q_view

    @q.setter
    def q(self, value):
        self.set_state(value, self._v_view)

    @property
    def v(self):
        """All velocities, the same way."""
        return self._v_view

    @v.setter
    def v(self, value):
        self.set_state(self._q_view, value)

    @property
    def force(self):
        """Forces on the velocities: write into it; they hold until you change them."""
        return self._force_view

    @force.setter
    def force(self, value):
        value = array(value, "force")
        if value.shape != self._force_view.shape:
            raise InputError(f"force: got shape {value.shape}, want {self._force_view.shape}")
        self._force_view[:] = value

    def advance_to(self, t):
        """To the time t exactly; returns the report of the last step."""
        return _core.Simulation.advance_to(self, number(t, "t"))

    def restore(self, snapshot):
        """Goes on from a Snapshot of the same scene, bit for bit."""
        if not isinstance(snapshot, Snapshot):
            raise InputError(f"snapshot: got a {type(snapshot).__name__}, want what save() gave")
        _core.Simulation.restore(self, snapshot)

    def clone(self):
        """Another simulation at the same state with the same controls; it goes on with the same bits."""
        other = Simulation(self.scene, self._threads)
        other.restore(self.save())
        return other

    def _id(self, body):
        if isinstance(body, str):
            return self._body(body)
        is_number = isinstance(body, (int, np.integer)) and not isinstance(body, bool)
        if is_number and 0 <= body < len(self._index):
            return int(body)
        raise InputError(f"body: got {body!r}, want a name or a number below {len(self._index)}")

    def pose(self, body):
        """4x4 matrix of the body's frame in the world."""
        return self._pose(self._id(body))

    def position(self, body):
        """Of the body's origin, m."""
        return self._pose(self._id(body))[:3, 3]

    def velocity(self, body):
        """(velocity of its origin, angular velocity), world axes."""
        return self._velocity(self._id(body))

    def set_body_force(self, body, force, torque=(0.0, 0.0, 0.0)):
        """Force (N) at the centre of mass and torque (N m), world axes, from now on."""
        self._set_body_force(self._id(body), force, torque)

    def set_motor_target(self, joint, target):
        self._set_motor_target(self._id(joint), number(target, "target"))

    def set_motion(self, body, velocity, angular_velocity=(0.0, 0.0, 0.0)):
        """How a body with prescribed motion moves from now on."""
        self._set_motion(self._id(body), velocity, angular_velocity)

    def point_jacobian(self, body, point):
        """6 x nv: velocity of the body's point (world frame), angular velocity."""
        return self._point_jacobian(self._id(body), point)

    def forward_dynamics(self, extra=None):
        """v_dot under gravity, all smooth forces and `extra`, without contacts."""
        return self._forward_dynamics(np.zeros(len(self._v_view)) if extra is None else extra)

    def linearize(self, eps=1e-6, duration=0.01, by_differences=False):
        """Derivatives of the next state: a Linearization.

        Methods that step take one step; the others go on for `duration` seconds. Contacts that touch stay
        closed, and stick or slide as they do in the step; `kinks` says where it is not differentiable.

        >>> import numpy as np, tenpin
        >>> sim = tenpin.load({
        ...     "bodies": [{"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
        ...                {"name": "ball", "mass": 1, "position": [0, 0, 0.1], "velocity": [0.3, 0, 0],
        ...                 "angular_velocity": [0, 3, 0], "shapes": [{"sphere": {"radius": 0.1}}]}]})
        >>> step = sim.linearize()
        >>> step.smooth, step.through_contacts
        (True, True)
        >>> round(float(step.A[6, 6]), 6)   # a push along the floor: 5/7 of it goes on, the rest becomes spin
        0.714286
        """
        return Linearization(*self._linearize(number(eps, "eps"), number(duration, "duration"), bool(by_differences)))

    def distance(self, a, b):
        """(gap, point of a, point of b, normal)."""
        return self._distance(self._id(a), self._id(b))

    def contact_force(self, a, b):
        """The mean force on b by its contacts with a over the last step, N."""
        return self._contact_force(self._id(a), self._id(b))

    def joint_effort(self, joint):
        """What motor, spring, damping and dry friction of a joint did along its axis in the last step, N m or N."""
        return self._joint_effort(self._id(joint))

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{kind}</td><td>{_numbers(self.q, self._q_slices[name])}</td>"
            f"<td>{_numbers(self.v, self._v_slices[name])}</td></tr>"
            for name, kind in self.joint_kinds.items() if self._v_slices[name].stop > self._v_slices[name].start)
        return (f"<p>{html.escape(self.scene.name)} by {html.escape(self.scene.method)}, t = {self.time:g} s, "
                f"{len(self.contacts)} contacts</p><table><tr><th>joint</th><th>kind</th><th>q</th><th>v</th></tr>{rows}</table>")

    def __repr__(self):
        return f"<tenpin.Simulation {self.scene.name!r} by {self.scene.method}, t = {self.time:g} s>"
