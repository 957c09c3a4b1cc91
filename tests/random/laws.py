"""What a run may not do, judged from its scene and its run file alone.

Energies, momenta, distances and friction are computed here again from poses, velocities and contact impulses;
nothing of the engine is used. The tolerances say how exact a method with steps of 1/240 s can be.
"""
import h5py
import numpy as np

import geometry
import impact_laws

# Energy that a step may gain, over the kinetic energy of the bodies that touch each other. A method
# of second order makes errors of (w h)^3 in a step, where w is the rate at which bodies turn: 1e-3 for 24 rad/s.
STEP_GAIN = 5e-3
# Energy that a run may gain above its lowest so far, over the largest kinetic energy so far.
RUN_GAIN = 2e-2
# Energy that is nothing, over weight times size of the bodies: what a push by 1e-5 of the size makes.
REST_GAIN = 1e-5
# Overlap over the least half width of the two shapes. Methods of first order let a corner that turns by w
# sink in by (w h)^2 / 2 of its arm in a step: 0.8 % for 30 rad/s.
OVERLAP = 0.02
# Overlap beyond what the step reports, over the least half width: rounding, and the search for directions.
UNREPORTED = 1e-5
# Friction beyond the cone, over the impulse. Impulses of a divided step are summed while the normal turns, by
# 0.05 rad at 12 rad/s.
CONE = 0.05
# Impulse that is nothing, over the largest of a step: the tolerance of steps.
ROUNDING = 1e-6
# Impulse that is missing in a body's momentum, over all that act on it.
MOMENTUM = 1e-4
# Slip below which no sliding contact can be in Painleve's paradox, m/s.
NO_SLIP = 1e-9
# What the ledger of a step may fail to close by, over its energies and works: rounding. The potential energy
# is a difference of heights.
LEDGER = 1e-9
# The same run gain with mechanisms at first order: kicks and drifts by turns let the energy of a pendulum swing by
# w h / 2 of its kinetic energy to either side, 2 % for 10 rad/s (0.1 m long).
SWING_GAIN = 4e-2
# How far a body of a stack at rest may move sideways, over its least half width.
REST_MOTION = 0.02
# How far the method of impulses may lift a body, over the least half width of all: twice its envelope.
HOP = 0.02
# How far a joint may be beyond its limit, rad or m over the size of a scene.
LIMIT = 2e-2


class Run:
    """A run file and the scene that was run."""

    def __init__(self, scene, path):
        self.scene = scene
        with h5py.File(path) as f:
            committed = f["committed"][()]
            n = int(committed["frames"])
            for name in ("t", "step", "q", "v", "pose", "velocity"):
                setattr(self, name, f["frames/" + name][:n])
            self.contacts = f["contacts"][: int(committed["contacts"])]
            self.steps = f["steps"][: int(committed["steps"])]
            self.names = [s.decode() for s in f["bodies/name"]]
            for name in ("joint", "parent", "q_begin", "v_begin", "mass", "inertia", "center", "material"):
                setattr(self, name, f["bodies/" + name][:])
            self.friction = f["materials/friction"][:]
            self.restitution = f["materials/restitution"][:]
            self.gravity = f["scene/gravity"][:]
            self.method = f["method/name"][()].decode()
            self.order = 1 if "\norder: 1\n" in f["method/options"][()].decode() else 2
            self.parts, self.part_body = read_parts(f), f["parts/body"][:]
            self.step_ends = read_step_ends(f, n)
        self.entries = {b["name"]: b for b in scene["bodies"]}
        self.moving = ~np.isin(self.joint, (2, 3)) | (self.parent >= 0)
        # Free, and no other body hangs from it.
        self.is_loose = (self.joint == 0) & ~np.isin(np.arange(len(self.names)), self.parent)
        self.contacts = self.contacts[self.contacts["part_a"] >= 0]
        self.frame_of = np.searchsorted(self.step, self.contacts["step"])  # frame that ends it
        self.R = geometry.rotations(self.pose[..., 3:])
        arms = np.einsum("fbij,bj->fbi", self.R, self.center)
        self.com = self.pose[..., :3] + arms
        self.v_com = self.velocity[..., :3] + np.cross(self.velocity[..., 3:], arms)
        self.impact_law = impact_law(scene["method"])
        self.touches = None   # as impact_laws.py finds them
        self.directions = {}  # that last showed two parts to be apart
        self.size = np.array([self.calc_size(b) for b in range(len(self.names))])

    def calc_size(self, body):
        widths = [p.width for p, owner in zip(self.parts, self.part_body) if owner == body]
        return min((w for w in widths if np.isfinite(w)), default=0.1)

    def contacts_of_frame(self, frame):
        first, last = np.searchsorted(self.frame_of, [frame, frame + 1])
        return self.contacts[first:last]

    def joint_of(self, body):
        """Kind and description of a body's joint."""
        joint = self.entries[self.names[body]].get("joint", {})
        return next(iter(joint.items())) if isinstance(joint, dict) and joint else ("free", {})


def impact_law(method):
    """newton, poisson or none, as the scene asks for."""
    options = next(iter(method.values()))
    return options.get("law", options.get("restitution", "none"))


def read_step_ends(f, num_frames):
    """Time, step and velocities at the end of the last step before each frame, or at the frame."""
    nq, nv = f["frames/q"].shape[1], f["frames/v"].shape[1]
    words, ends = f["restart_words"][:], []
    for frame, row in enumerate(f["restarts"][:num_frames]):
        v = f["frames/v"][frame]
        if row["t"] != f["frames/t"][frame]:
            first = int(row["first_word"])
            v = words[first:first + nq + nv].view("f8")[nq:]
        if not ends or row["step"] > ends[-1][1]:
            ends.append((float(row["t"]), int(row["step"]), v))
    return ends


def read_parts(f):
    first = f["parts/first_vertex"][:]
    vertices = f["meshes/vertices"][:]
    rounding = f["parts/rounding"][:]
    return [geometry.Part(int(kind), parameters, position, rotation,
                          vertices[first[i]:first[i + 1]], rounding[i])
            for i, (kind, parameters, position, rotation) in enumerate(zip(
                f["parts/kind"][:], f["parts/parameters"][:], f["parts/position"][:],
                f["parts/rotation"][:]))]


def check_finite(run):
    for name in ("q", "v", "pose", "velocity"):
        if not np.isfinite(getattr(run, name)).all():
            yield "nan", f"{name} is not finite"


# Energy.

def calc_energies(run):
    """Kinetic and potential energy of every body in every frame, its joint's springs included."""
    spin = np.einsum("fbji,fbj->fbi", run.R, run.velocity[..., 3:])
    kinetic = 0.5 * run.mass * (run.v_com ** 2).sum(axis=2)
    kinetic += 0.5 * np.einsum("fbi,bij,fbj->fb", spin, run.inertia, spin)
    potential = -run.mass * (run.com @ run.gravity)
    for body in range(len(run.names)):
        potential[:, body] += calc_joint_potential(run, body)
    kinetic[:, ~run.moving] = 0
    potential[:, ~run.moving] = 0
    return kinetic, potential


def calc_joint_potential(run, body):
    kind, joint = run.joint_of(body)
    q = run.q[:, run.q_begin[body]] if kind in ("hinge", "slider") else None
    if kind == "ball":
        quaternion = run.q[:, run.q_begin[body]:run.q_begin[body] + 4]
        angle = 2 * np.arctan2(np.linalg.norm(quaternion[:, 1:], axis=1), np.abs(quaternion[:, 0]))
        return 0.5 * joint.get("stiffness", 0) * angle ** 2
    if q is None:
        return 0.0
    energy = 0.5 * joint.get("stiffness", 0) * (q - joint.get("rest", 0)) ** 2
    motor = joint.get("motor", {})
    energy = energy - (motor.get("torque", 0) + motor.get("force", 0)) * q
    if "position" in motor:
        energy = energy + 0.5 * motor["stiffness"] * (q - motor["position"]) ** 2
    return energy


def belt_work(run, frame, contact):
    """Of a contact with a belt: the body on it, and the work of the belt."""
    a, b = contact["body_a"], contact["body_b"]
    for driver, other, sign in ((a, b, 1), (b, a, -1)):
        if run.joint[driver] == 3:
            yield other, sign * (contact["impulse"] @ run.velocity[frame, driver, :3])


def calc_driven_work(run, frame):
    """For every body, the most work that motors and belts can have done on it until this frame, and what of
    it may belong to the frame before or after."""
    work, shifted = np.zeros((2, len(run.names)))
    dt = run.t[frame] - run.t[frame - 1]
    for body in range(len(run.names)):
        motor = run.joint_of(body)[1].get("motor", {})
        if "velocity" in motor:  # gain (target - rate) rate is largest at half the target
            work[body] += motor["gain"] * motor["velocity"] ** 2 / 4 * dt
    for contact in run.contacts_of_frame(frame):
        for other, share in belt_work(run, frame, contact):
            work[other] += share
    # Steps of the event-driven method need not end at frames. The last one of this frame and of the one before
    # reach beyond their ends: up to all of their work may belong to the next frame.
    if run.method == "analytic":
        for earlier in (frame - 1, frame):
            for contact in run.contacts_of_frame(earlier):
                if contact["step"] == run.step[earlier]:
                    for other, share in belt_work(run, earlier, contact):
                        shifted[other] += abs(share)
    return work, shifted


def groups_of_frame(run, frame):
    """Number of the group of each body: those that touch or are joined move energy to each other."""
    group = np.arange(len(run.names))

    def join(a, b):
        group[group == group[a]] = group[b]

    for body, parent in enumerate(run.parent):
        if parent >= 0:
            join(body, parent)
    for contact in run.contacts_of_frame(frame):
        if run.moving[contact["body_a"]] and run.moving[contact["body_b"]]:
            join(contact["body_a"], contact["body_b"])
    return group


def check_energy(run):
    kinetic, potential = calc_energies(run)
    weight = run.mass * np.linalg.norm(run.gravity) * run.size * run.moving
    if run.method == "impulse":
        hop = HOP * run.size[run.moving].min()
        weight = weight + run.mass * np.linalg.norm(run.gravity) * hop / REST_GAIN * run.moving
    lowest, total, driven = np.inf, kinetic.sum(axis=1) + potential.sum(axis=1), 0.0
    allowed_lift = calc_initial_lift(run)
    worst_step, worst_run = (0.0, ""), (0.0, "")
    largest = 0.0
    for k in range(1, len(run.t)):
        (work, shifted), group = calc_driven_work(run, k), groups_of_frame(run, k)
        driven += work.sum()
        gain = kinetic[k] + potential[k] - kinetic[k - 1] - potential[k - 1] - work
        for g in np.unique(group[run.moving]):
            held = group == g
            before, after = kinetic[k - 1][held].sum(), kinetic[k][held].sum()
            slack = allowed_lift[held].sum() + shifted[held].sum()
            over = gain[held].sum() - REST_GAIN * weight[held].sum() - slack
            ratio = over / max(before, after, 1e-300)
            if ratio > worst_step[0]:
                names = "+".join(run.names[b] for b in np.flatnonzero(held))
                worst_step = (ratio, f"t = {run.t[k]:.4f}: {names} gain {gain[held].sum():.3g} J "
                              f"of {before:.3g} J")
        lowest = min(lowest, total[k - 1] - (driven - work.sum()))
        largest = max(largest, kinetic[k].sum(), kinetic[k - 1].sum())
        over = total[k] - driven - lowest - REST_GAIN * weight.sum() - allowed_lift.sum()
        if over / max(largest, 1e-300) > worst_run[0]:
            worst_run = (over / largest, f"t = {run.t[k]:.4f}: {over:.3g} J above the lowest energy"
                         f" so far, largest kinetic {largest:.3g} J")
    if worst_step[0] > STEP_GAIN:
        yield "energy", f"step gains {worst_step[0]:.2g}: {worst_step[1]}"
    swings = run.order == 1 and not run.is_loose[run.moving].all()
    if worst_run[0] > (SWING_GAIN if swings else RUN_GAIN):
        yield "energy", f"run gains {worst_run[0]:.2g}: {worst_run[1]}"


def calc_initial_lift(run):
    """Potential energy that each body may gain while an overlap of the start is taken apart."""
    depth = max(0.0, -calc_overlap(run, 0)[0])
    if depth < 1e-9:
        return np.zeros(len(run.names))
    return 2 * depth * run.mass * np.linalg.norm(run.gravity) * run.moving


# Overlap.

def calc_pairs(run):
    """Pairs of parts that touch if they meet."""
    pairs = []
    for i, a in enumerate(run.part_body):
        for j in range(i + 1, len(run.part_body)):
            b = run.part_body[j]
            related = a == b or run.parent[a] == b or run.parent[b] == a
            if not related and (run.moving[a] or run.moving[b]):
                pairs.append((i, j))
    return pairs


def calc_overlap(run, frame, ratio=0.0, depth=0.0):
    """Least separation over least half width, and separation and bodies of that pair. Overlaps up to `ratio` of
    the half width, or up to `depth` (m), need not be known exactly."""
    placed = [geometry.Placed(part, run.pose[frame, body, :3], run.R[frame, body])
              for part, body in zip(run.parts, run.part_body)]
    hints = {}
    for contact in run.contacts_of_frame(frame):
        key = tuple(sorted((contact["part_a"], contact["part_b"])))
        sign = 1 if contact["part_a"] == key[0] else -1
        hints.setdefault(key, []).append(sign * contact["normal"])
    worst = (np.inf, np.inf, "")
    for i, j in calc_pairs(run):
        if geometry.bounding_gap(placed[i], placed[j]) > 0:
            continue
        width = min(run.parts[i].width, run.parts[j].width)
        known = run.directions.get((i, j))
        apart, run.directions[i, j] = geometry.calc_separation(
            placed[i], placed[j], -min(ratio * width, depth + UNREPORTED / 2 * width),
            hints.get((i, j), []) + ([] if known is None else [known]))
        if apart / width < worst[1]:
            names = [run.names[run.part_body[p]] for p in (i, j)]
            worst = (apart, apart / width, f"{names[0]} and {names[1]} overlap by {-apart:.3g} m, "
                     f"{-apart / width:.2g} of the half width")
    return worst


def check_overlap(run):
    start = calc_overlap(run, 0)
    bound = max(OVERLAP, -start[1] * 1.05)
    reported = np.zeros(len(run.t))
    rows = np.searchsorted(run.steps["step"], run.step[1:])
    reported[1:] = run.steps["penetration"][np.minimum(rows, len(run.steps) - 1)]
    worst, hidden = (0.0, ""), (0.0, "")
    for k in range(1, len(run.t)):
        apart, ratio, text = calc_overlap(run, k, bound, reported[k])
        where = f"t = {run.t[k]:.4f}: {text}"
        if -ratio > worst[0]:
            worst = (-ratio, where)
        unseen = -ratio - reported[k] * ratio / apart if apart < 0 else 0.0
        if unseen > hidden[0]:
            hidden = (unseen, f"{where}, {reported[k]:.3g} m reported")
    if worst[0] > bound:
        yield "overlap", worst[1]
    elif hidden[0] > UNREPORTED + (bound if start[0] < -1e-9 else 0):
        yield "unreported", hidden[1]


# Contacts.

def calc_friction(run, a, b):
    return float(np.sqrt(run.friction[run.material[a]].max() * run.friction[run.material[b]].max()))


def sum_impulses(run, frame):
    """By contact: bodies, normal impulse, friction, and sum of sizes.

    The steps of the event-driven method are as short as events want. An impulse that ends a slip or a hop at once
    may be all that a contact has in one of them, and belongs to the steps around it: there, what two bodies
    do to each other within a frame is one.
    """
    sums = {}
    for k, contact in enumerate(run.contacts_of_frame(frame)):
        bodies = int(contact["body_a"]), int(contact["body_b"])
        n, p = contact["normal"], contact["impulse"]
        key = bodies if run.method == "analytic" else k
        normal, friction, size = sums[key][1:] if key in sums else (0.0, np.zeros(3), 0.0)
        sums[key] = (bodies, normal + p @ n, friction + p - (p @ n) * n, size + np.abs(p).max())
    return sums.values()


def check_friction(run):
    for k in range(1, len(run.t)):
        sums = sum_impulses(run, k)
        # Impulses are known to the tolerance of a step's problem, of all of its contacts.
        nothing = CONE * 1e-9 + ROUNDING * max((size for *_, size in sums), default=0.0)
        for (a, b), normal, friction, size in sums:
            tangential, mu = np.linalg.norm(friction), calc_friction(run, a, b)
            slack = CONE * size + nothing
            if tangential > mu * normal + slack or normal < -slack:
                yield "friction", (f"t = {run.t[k]:.4f}: {run.names[a]} and {run.names[b]} have "
                                   f"friction {tangential:.3g} N s at {normal:.3g} N s and mu {mu:.3g}")
                return


def check_momentum(run):
    """A free body's momentum changes by weight and by the contact impulses that are recorded."""
    loose = run.is_loose
    worst = (0.0, "")
    # Steps need not end at frames.
    for (t0, step0, v0), (t1, step1, v1) in zip(run.step_ends, run.step_ends[1:]):
        before, after = np.zeros((2, len(run.names), 3))
        for body in np.flatnonzero(loose):
            first = run.v_begin[body]
            before[body], after[body] = v0[first:first + 3], v1[first:first + 3]
        change = run.mass[:, None] * (after - before - run.gravity * (t1 - t0))
        acting = run.mass * (np.linalg.norm(run.gravity) * (t1 - t0)
                             + np.linalg.norm(before, axis=1) * 1e-3)
        first, last = np.searchsorted(run.contacts["step"], [step0 + 1, step1 + 1])
        for contact in run.contacts[first:last]:
            change[contact["body_b"]] -= contact["impulse"]
            change[contact["body_a"]] += contact["impulse"]
            for body in (contact["body_a"], contact["body_b"]):
                acting[body] += np.linalg.norm(contact["impulse"])
        ratio = np.where(loose, np.linalg.norm(change, axis=1) / np.maximum(acting, 1e-300), 0)
        body = int(ratio.argmax())
        if ratio[body] > worst[0]:
            worst = (ratio[body], f"t = {t1:.4f}: {run.names[body]} lacks "
                     f"{np.linalg.norm(change[body]):.3g} N s of {acting[body]:.3g} N s")
    if worst[0] > MOMENTUM:
        yield "momentum", worst[1]


def calc_mobility(run, frame, body, arm, force):
    """Velocity that an impulse `force` at `arm` gives that point of a free body."""
    if run.joint[body] != 0 or not run.moving[body]:
        return np.zeros(3)
    R = run.R[frame, body]
    spin = R @ np.linalg.solve(run.inertia[body], R.T @ np.cross(arm, force))
    return force / run.mass[body] + np.cross(spin, arm)


def check_verdicts(run):
    """Painleve's verdict needs slip, and a normal response to friction that is negative."""
    for contact in run.contacts[run.contacts["no_acceleration_solution"]]:
        a, b = int(contact["body_a"]), int(contact["body_b"])
        where = f"step {contact['step']}: {run.names[a]} and {run.names[b]}"
        if contact["painleve"] >= 0 or contact["free_acceleration"] >= 0:
            yield "verdict", f"{where}: verdict with A = {contact['painleve']:.3g}"
            return
        frame = int(np.searchsorted(run.step, contact["step"])) - 1
        n, x = contact["normal"], contact["position"]
        arms = [x - run.com[frame, body] for body in (a, b)]
        u = [run.v_com[frame, body] + np.cross(run.velocity[frame, body, 3:], arm)
             for body, arm in zip((a, b), arms)]
        slip = (u[1] - u[0]) - ((u[1] - u[0]) @ n) * n
        if max(np.linalg.norm(slip), np.linalg.norm(contact["slip"])) < NO_SLIP:
            yield "verdict", f"{where}: verdict without slip"
            return
        if run.step[frame] != contact["step"] - 1 or not all(
                run.is_loose[body] or not run.moving[body] for body in (a, b)):
            continue
        response = []
        for s in (slip, contact["slip"]):
            if np.linalg.norm(s) >= NO_SLIP:
                force = n - calc_friction(run, a, b) * s / np.linalg.norm(s)
                response.append(n @ (calc_mobility(run, frame, a, arms[0], force)
                                     + calc_mobility(run, frame, b, arms[1], force)))
        if min(response) > 0.05 * abs(contact["painleve"]):
            yield "verdict", (f"{where}: A is {min(response):.3g} 1/kg at this slip, "
                              f"recorded {contact['painleve']:.3g}")
            return


def check_ledger(run):
    """The stages of every step add up to the change of its energy."""
    stages = [name for name in run.steps.dtype.names if name.startswith("work_")]
    size = run.steps["kinetic"] + sum(np.abs(run.steps[name]) for name in stages)
    allowed = LEDGER * size + 1e-12 * np.abs(run.steps["potential"])
    over = np.abs(run.steps["closure"]) - allowed
    if len(over) and over.max() > 0 and run.method != "penalty":
        k = int(over.argmax())
        yield "ledger", (f"step {run.steps['step'][k]}: the ledger lacks {run.steps['closure'][k]:.3g} J "
                         f"of {size[k]:.3g} J")


# Joints, walls, rest.

def check_joints(run):
    for body in range(len(run.names)):
        kind, joint = run.joint_of(body)
        if "limits" not in joint:
            continue
        q, (low, high) = run.q[:, run.q_begin[body]], joint["limits"]
        beyond = max((low - q).max(), (q - high).max())
        if beyond > LIMIT * (1 if kind == "hinge" else 0.1):
            yield "limits", f"{run.names[body]} is {beyond:.3g} beyond its limit"


def check_walls(run):
    """No body beyond the wall that it flew at."""
    wall = run.names.index("wall")
    normal, place = run.R[0, wall][:, 0], run.pose[0, wall, :3]
    for body in np.flatnonzero(run.moving):
        distance = (run.com[:, body] - place) @ normal
        if distance.max() > 0:
            k = int((distance > 0).argmax())
            yield "tunnel", f"{run.names[body]} is beyond the wall at t = {run.t[k]:.4f}"


def check_rest(run):
    for body in np.flatnonzero(run.moving):
        path = np.linalg.norm((run.com[:, body] - run.com[0, body])[:, :2], axis=1).max()
        if path > REST_MOTION * run.size[body]:
            yield "moved", f"{run.names[body]} of a stack at rest moves sideways by {path:.3g} m"


LAWS = [check_energy, check_overlap, check_friction, check_momentum, check_verdicts, check_ledger,
        check_joints, impact_laws.check_restitution, impact_laws.check_contact_work,
        impact_laws.check_friction_work]
FAMILY_LAWS = {"walls": [check_walls], "stacks": [check_rest], "scenes": [], "coins": []}


def judge(family, scene, path):
    """All breaches: pairs of a kind and one line of text."""
    run = Run(scene, path)
    breaches = list(check_finite(run))
    if breaches or len(run.t) < 2:
        return breaches
    for law in LAWS + FAMILY_LAWS[family]:
        breaches += law(run)
    return breaches
