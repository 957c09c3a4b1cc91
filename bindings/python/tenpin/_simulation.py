"""Running scenes."""
import html
from typing import NamedTuple

import numpy as np

from . import _core
from ._arguments import array, number, text, whole
from ._errors import InputError
from ._scene import make_scene

Snapshot = _core.Snapshot
StepReport = _core.StepReport
MODES = ("separating", "sliding", "sticking", "resting", "touching")  #: names of the numbers in contacts["mode"]


class Linearization(NamedTuple):
    """dx' = A dx + B du: x is (dq, v) with dq in the units of v, u are the joint forces.

    >>> import tenpin
    >>> sim = tenpin.load({"bodies": [{"name": "ball", "mass": 2, "shapes": [{"sphere": {"radius": 0.1}}]}]})
    >>> step = sim.linearize()
    >>> step.A.shape, step.B.shape, round(float(step.B[6, 0] / step.duration), 6)     # 1 / mass
    ((12, 12), (12, 6), 0.5)
    """

    A: np.ndarray  #: (2 nv, 2 nv)
    B: np.ndarray  #: (2 nv, nv)
    duration: float  #: s, from this state to the next
    through_contacts: bool  #: True: through the solved step; False: by differences of whole steps
    why_differences: str  #: if False: the reason
    kinks: list  #: where the step is not differentiable, as text

    @property
    def smooth(self):
        """True if the next state is differentiable.

        >>> step.smooth
        True
        """
        return not self.kinks


class NamedVector(np.ndarray):
    """A view of a vector of the simulation. Index it by joint or body name, or like any array.

    A joint with one coordinate gives a number, other joints a view.

    >>> import tenpin
    >>> sim = tenpin.load({"bodies": [{"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]})
    >>> sim.force["ball"] = [0, 0, 9.81, 0, 0, 0]
    >>> sim.force[2], sim.q["ball"].shape
    (9.81, (7,))
    """

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
    """A running scene: step it, read its state, control it. Make one with `tenpin.load`.

    The example of each method continues this one.

    >>> import tenpin
    >>> sim = tenpin.load({
    ...     "bodies": [{"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
    ...                {"name": "ball", "mass": 1, "position": [0, 0, 0.1], "shapes": [{"sphere": {"radius": 0.1}}]},
    ...                {"name": "bob", "mass": 1, "position": [1, 0, 1], "inertia": [0.1, 0.1, 0.1],
    ...                 "joint": {"hinge": {"axis": [0, 1, 0], "anchor": [0, 0, 1], "at": 0.1}}}]})
    >>> sim.q["bob"]
    0.1
    >>> sim.force["bob"] = 9.81 * 0.09983341664682815    # holds it: m g l sin(0.1)
    >>> _ = sim.advance_to(1)
    >>> round(sim.q["bob"], 6)
    0.1
    """

    time = property(_core.Simulation.time.fget, doc="""s

        >>> sim.time
        1.0
        """)
    num_steps = property(_core.Simulation.num_steps.fget, doc="""Steps since the start or reset().

        >>> sim.num_steps       # of 1/240 s
        240
        """)
    fired_events = property(_core.Simulation.fired_events.fget, doc="""Events of the scene that have happened: (name, time).

        >>> sim.fired_events
        []
        """)
    state_hash = property(_core.Simulation.state_hash.fget, doc="""64 bits that differ when any bit of the state does.

        >>> sim.state_hash == sim.clone().state_hash
        True
        """)
    scene = property(_core.Simulation.scene.fget, doc="""The Scene.

        >>> sim.scene.method
        'time-stepping'
        """)
    report = property(_core.Simulation.report.fget, doc="""The StepReport of the last step.

        >>> sim.report.certified
        True
        """)
    body_names = property(_core.Simulation.body_names.fget, doc="""Names of the bodies, in the order of their numbers.

        >>> sim.body_names
        ['floor', 'ball', 'bob']
        """)
    contacts = property(_core.Simulation.contacts.fget, doc="""Contacts of the last step: a structured array.

        >>> [(sim.body_names[c["body_b"]], tenpin.MODES[c["mode"]], round(float(c["force"][2]), 4)) for c in sim.contacts]
        [('ball', 'resting', 9.81)]
        """)
    reactions = property(_core.Simulation.reactions.fget, doc="""What joints and loops passed on in the last step: dicts.

        >>> [(r["kind"], sim.body_names[r["index"]], round(r["drive"], 4)) for r in sim.reactions]
        [('joint', 'bob', 0.9794)]
        """)
    ledger = property(_core.Simulation.ledger.fget, doc="""Works since the start by their kinds, and the energy, J.

        >>> bool(abs(sim.ledger["closure"]) < 1e-9)
        True
        """)
    certificate = property(_core.Simulation.certificate.fget, doc="""The worst of all steps since the start.

        >>> sim.certificate["passed"]
        True
        """)
    kinetic_energy = property(_core.Simulation.kinetic_energy.fget, doc="""J, of the current state.

        >>> round(sim.kinetic_energy, 9)
        0.0
        """)
    potential_energy = property(_core.Simulation.potential_energy.fget, doc="""J, of gravity in the current state.

        >>> round(sim.potential_energy, 6) == round(9.81 * (0.1 + 2 - np.cos(0.1)), 6)
        True
        """)
    gravity = property(_core.Simulation.gravity.fget, _core.Simulation.gravity.fset, doc="""m/s^2; set it at any time.

        >>> sim.gravity = [0, 0, -1.62]
        >>> sim.gravity.tolist()
        [0.0, 0.0, -1.62]
        """)

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
        """All coordinates: a read-only view that follows the simulation. Assign a whole vector to set them.

        >>> sim.q["ball"][:3].round(4).tolist(), round(sim.q["bob"], 4)
        ([0.0, 0.0, 0.1], 0.1)
        """
        return self._q_view

    @q.setter
    def q(self, value):
        self.set_state(value, self._v_view)

    @property
    def v(self):
        """All velocities, in the same form as `q`.

        >>> sim.v = [0, 0, 0, 0, 0, 0, 2]
        >>> sim.v["bob"]
        2.0
        """
        return self._v_view

    @v.setter
    def v(self, value):
        self.set_state(self._q_view, value)

    @property
    def force(self):
        """Forces on the velocities: write into this vector; they act until you change them.

        >>> sim.force["bob"] = 0
        >>> sim.force.tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return self._force_view

    @force.setter
    def force(self, value):
        value = array(value, "force")
        if value.shape != self._force_view.shape:
            raise InputError(f"force: got shape {value.shape}, want {self._force_view.shape}")
        self._force_view[:] = value

    def advance_to(self, t):
        """Advances to time t exactly; returns the report of the last step.

        >>> sim.advance_to(1.234).time
        1.234
        """
        return _core.Simulation.advance_to(self, number(t, "t"))

    def reset(self):
        """Resets to time 0 and to the controls of the scene.

        >>> sim.reset()
        >>> sim.time, sim.force["bob"]
        (0.0, 0.0)
        """
        _core.Simulation.reset(self)

    def save(self):
        """Returns a Snapshot of state, controls and memory.

        >>> sim.save().time
        1.0
        """
        return _core.Simulation.save(self)

    def restore(self, snapshot):
        """Continues from a Snapshot of the same scene, bit for bit.

        >>> there = sim.save()
        >>> first = sim.advance_to(2), sim.state_hash
        >>> sim.restore(there)
        >>> again = sim.advance_to(2), sim.state_hash
        >>> first[1] == again[1]
        True
        """
        if not isinstance(snapshot, Snapshot):
            raise InputError(f"snapshot: got a {type(snapshot).__name__}, want what save() gave")
        _core.Simulation.restore(self, snapshot)

    def clone(self):
        """Returns another simulation at the same state with the same controls; it continues with the same bits.

        >>> other = sim.clone()
        >>> _ = sim.advance_to(2), other.advance_to(2)
        >>> sim.state_hash == other.state_hash
        True
        """
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

    def set_state(self, q, v):
        """Sets coordinates q and velocities v, at the current time.

        >>> sim.set_state(sim.q, 0 * sim.v)
        >>> sim.kinetic_energy
        0.0
        """
        _core.Simulation.set_state(self, q, v)

    def pose(self, body):
        """The pose of the body's frame in the world, as a 4x4 matrix.

        >>> sim.pose("ball")[:3, 3].round(4).tolist()
        [0.0, 0.0, 0.1]
        """
        return self._pose(self._id(body))

    def position(self, body):
        """The position of the body's origin, in m.

        >>> sim.position("ball").round(4).tolist()
        [0.0, 0.0, 0.1]
        """
        return self._pose(self._id(body))[:3, 3]

    def velocity(self, body):
        """(velocity of the body's origin, angular velocity), in world axes.

        >>> linear, angular = sim.velocity("ball")
        >>> linear.round(4).tolist()
        [0.0, 0.0, 0.0]
        """
        return self._velocity(self._id(body))

    def set_body_force(self, body, force, torque=(0.0, 0.0, 0.0)):
        """Sets the force (N) at the centre of mass and the torque (N m), in world axes, from now on.

        >>> sim.set_body_force("ball", [0, 0, 1])
        >>> _ = sim.step()
        >>> round(float(sim.contacts["force"][0, 2]), 4)
        8.81
        """
        self._set_body_force(self._id(body), force, torque)

    def set_motor_target(self, joint, target):
        """Sets the target of the joint's motor from now on: a force, velocity or position.

        >>> sim = tenpin.load({"bodies": [{"name": "arm", "mass": 1, "inertia": [1, 1, 1], "joint": {"hinge": {
        ...     "axis": [0, 0, 1], "motor": {"velocity": 0, "gain": 100}}}}]})
        >>> sim.set_motor_target("arm", 2)
        >>> _ = sim.advance_to(1)
        >>> round(sim.v["arm"], 4)
        2.0
        """
        self._set_motor_target(self._id(joint), number(target, "target"))

    def set_motion(self, body, velocity, angular_velocity=(0.0, 0.0, 0.0)):
        """Sets the motion of a body with prescribed motion from now on.

        >>> sim = tenpin.load({"bodies": [{"name": "belt", "motion": {}, "shapes": [{"box": {"size": [1, 1, 0.1]}}]}]})
        >>> sim.set_motion("belt", [0.5, 0, 0])
        >>> _ = sim.advance_to(2)
        >>> sim.position("belt").round(6).tolist()
        [1.0, 0.0, 0.0]
        """
        self._set_motion(self._id(body), velocity, angular_velocity)

    def set_material_pair(self, a, b, friction, restitution):
        """Sets the surface properties between two materials of the scene from now on.

        >>> sim = tenpin.load({"materials": {"ice": {"friction": 0.1}}, "bodies": [
        ...     {"name": "floor", "fixed": True, "material": "ice", "shapes": [{"plane": {}}]},
        ...     {"name": "box", "mass": 1, "material": "ice", "position": [0, 0, 0.1], "velocity": [1, 0, 0],
        ...      "shapes": [{"box": {"size": [0.2, 0.2, 0.2]}}]}]})
        >>> sim.set_material_pair("ice", "ice", friction=0.5, restitution=0)
        >>> _ = sim.advance_to(0.1)
        >>> round(float(sim.v[0]), 4) == round(1 - 0.5 * 9.81 * 0.1, 4)
        True
        """
        _core.Simulation.set_material_pair(self, text(a, "a"), text(b, "b"), number(friction, "friction"),
                                           number(restitution, "restitution"))

    def mass_matrix(self):
        """The mass matrix M of the velocities v, nv x nv.

        >>> sim.mass_matrix()[6, 6].round(4)        # of the bob about its hinge
        1.1
        """
        return _core.Simulation.mass_matrix(self)

    def bias_forces(self):
        """Coriolis and centrifugal forces, and gravity with the opposite sign: M v_dot + bias = f.

        >>> round(float(sim.bias_forces()[2]), 4)   # the weight of the ball
        9.81
        """
        return _core.Simulation.bias_forces(self)

    def smooth_forces(self):
        """Generalized forces of everything except contacts and gravity.

        >>> round(float(sim.smooth_forces()[6]), 4) == round(sim.force["bob"], 4)
        True
        """
        return _core.Simulation.smooth_forces(self)

    def contact_rows(self, reach=0.0):
        """(contacts, J, drive, friction) of pairs closer than `reach` (m): J v + drive is the contact velocity.

        >>> contacts, J, drive, friction = sim.contact_rows(reach=0.01)
        >>> len(contacts), J.shape
        (1, (3, 7))
        """
        return _core.Simulation.contact_rows(self, number(reach, "reach"))

    def delassus(self, J):
        """J M^-1 J' while loops stay closed.

        >>> contacts, J, drive, friction = sim.contact_rows(reach=0.01)
        >>> sim.delassus(J).shape
        (3, 3)
        """
        return _core.Simulation.delassus(self, J)

    def inverse_dynamics(self, v_dot):
        """The forces in addition to gravity that cause these accelerations: M v_dot + bias.

        >>> v_dot = sim.forward_dynamics()
        >>> np.allclose(sim.inverse_dynamics(v_dot), sim.smooth_forces())
        True
        """
        return _core.Simulation.inverse_dynamics(self, v_dot)

    def point_jacobian(self, body, point):
        """The Jacobian (6 x nv) of the velocity of a body's point (world frame) and of its angular velocity.

        >>> J = sim.point_jacobian("bob", sim.position("bob"))
        >>> np.allclose(J @ sim.v, np.concatenate(sim.velocity("bob")))
        True
        """
        return self._point_jacobian(self._id(body), point)

    def forward_dynamics(self, extra=None):
        """v_dot under gravity, all smooth forces and `extra`, without contacts.

        >>> sim.forward_dynamics()[:3].round(4).tolist()
        [0.0, 0.0, -9.81]
        """
        return self._forward_dynamics(np.zeros(len(self._v_view)) if extra is None else extra)

    def linearize(self, eps=1e-6, duration=0.01, by_differences=False):
        """Derivatives of the next state: a Linearization.

        Methods with steps take one step; the others advance by `duration` seconds. Contacts that touch stay
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
        """(gap, point of a, point of b, normal).

        >>> gap, point_a, point_b, normal = sim.distance("floor", "ball")
        >>> bool(abs(gap) < 1e-4), normal.tolist()
        (True, [0.0, 0.0, 1.0])
        """
        return self._distance(self._id(a), self._id(b))

    def contact_force(self, a, b):
        """The mean force on b from its contacts with a over the last step, in N.

        >>> round(float(sim.contact_force("floor", "ball")[2]), 4)
        9.81
        """
        return self._contact_force(self._id(a), self._id(b))

    def joint_effort(self, joint):
        """The mean effort of motor, spring, damping, dry friction and force of a joint along its axis in the last step,
        in N m or N.

        >>> round(sim.joint_effort("bob"), 6) == round(sim.force["bob"], 6)
        True
        """
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
