"""Restitution and the work of contacts, where a run file shows both sides of an impact.

That is where nothing else touches the bodies of a contact in a frame and in the one before: what one point did
is then known from the velocities at both ends. Bodies of mechanisms are left out.
"""
import numpy as np

# Error of a bounce, over the speed of approach: of a method of first order, whose contacts turn while they act.
BOUNCE = 0.02
# Work that is recorded and is nothing, over the largest kinetic energy: rounding.
RECORDED = 1e-9
# Work of sliding friction that is missing, over all of it, where the slip turns by less than arccos STRAIGHT:
# half of this turn, and what FAST leaves.
SLIDING, STRAIGHT = 0.1, 0.9
# An approach is an impact if it is that much faster than what forces and rotation change in a frame.
FAST = 10.0


class Touch:
    """One contact between two bodies that nothing else touches, in the frame that ends at `frame`."""

    def __init__(self, run, frame, contact):
        self.frame, self.contact = frame, contact
        self.bodies = int(contact["body_a"]), int(contact["body_b"])
        self.normal = contact["normal"]
        self.before = point_velocity(run, frame - 1, self)
        self.after = point_velocity(run, frame, self)
        # What weight and rotation change of the point's velocity within a frame, and what its place is off by.
        dt = run.t[frame] - run.t[frame - 1]
        self.slack = np.linalg.norm(run.gravity) * dt
        for body in self.bodies:
            for k in (frame - 1, frame):
                spin = np.linalg.norm(run.velocity[k, body, 3:])
                reach = np.linalg.norm(contact["position"] - run.com[k, body]) if run.moving[body] else 0
                self.slack += spin * dt * (np.linalg.norm(run.v_com[k, body]) + spin * reach)
        self.where = f"t = {run.t[frame]:.4f}: {run.names[self.bodies[0]]} and {run.names[self.bodies[1]]}"

    def speeds(self):
        """Normal velocities before and after; negative if the bodies approach."""
        return self.before @ self.normal, self.after @ self.normal


def point_velocity(run, frame, touch):
    """Of the point of b past that of a."""
    u = [run.v_com[frame, body]
         + np.cross(run.velocity[frame, body, 3:], touch.contact["position"] - run.com[frame, body])
         for body in touch.bodies]
    return u[1] - u[0]


def find_touches(run):
    """Contacts of which the whole effect is known."""
    if run.touches is None:
        run.touches = list(make_touches(run))
    return run.touches


def make_touches(run):
    counts_before = np.zeros(len(run.names), int)
    for frame in range(1, len(run.t)):
        contacts = run.contacts_of_frame(frame)
        counts = np.zeros(len(run.names), int)
        for contact in contacts:
            for body in (contact["body_a"], contact["body_b"]):
                counts[body] += 1
        for contact in contacts:
            bodies = [int(contact["body_a"]), int(contact["body_b"])]
            mobile = [body for body in bodies if run.moving[body]]
            if all(run.is_loose[b] and counts[b] == 1 and counts_before[b] == 0 for b in mobile):
                yield Touch(run, frame, contact)
        counts_before = counts


def bounce_of(run, touch):
    return max(run.restitution[run.material[body]] for body in touch.bodies)


def friction_of(run, touch):
    a, b = touch.bodies
    return np.sqrt(run.friction[run.material[a]].max() * run.friction[run.material[b]].max())


def check_restitution(run):
    """A point leaves with e times its approach: without friction, exactly; with it, no faster under Newton's law.

    Other laws of impact may make a point with friction faster than that, never the bodies.
    """
    for touch in find_touches(run):
        u0, u1 = touch.speeds()
        e, mu = bounce_of(run, touch), friction_of(run, touch)
        if -u0 < FAST * touch.slack or touch.contact["normal_impulse"] <= 0:
            continue
        slack = 2 * touch.slack - BOUNCE * u0
        if u1 > -e * u0 + slack and (mu == 0 or e == 0 or run.impact_law == "newton"):
            yield "restitution", f"{touch.where} leave at {u1:.3g} m/s after {u0:.3g} m/s with e = {e:.3g}"
            return
        if mu == 0 and run.impact_law != "none" and u1 < -e * u0 - slack:
            yield "restitution", f"{touch.where} leave at only {u1:.3g} m/s after {u0:.3g} m/s with e = {e:.3g}"
            return


def check_contact_work(run):
    """An impact gives no energy: what one impulse does on both bodies together is p (u + u') / 2."""
    for touch in find_touches(run):
        a, b = touch.bodies
        if run.joint[a] == 3 or run.joint[b] == 3:  # a belt gives energy
            continue
        impulse = touch.contact["impulse"]
        work, size = impulse @ (touch.before + touch.after) / 2, np.linalg.norm(impulse)
        if -touch.speeds()[0] >= FAST * touch.slack and work > size * touch.slack:
            yield "work", f"{touch.where} gain {work:.3g} J by an impulse of {size:.3g} N s"
            return


def check_friction_work(run):
    """Friction takes energy: what is recorded, and where a contact slides on, all that it can."""
    nothing = RECORDED * max(run.steps["kinetic"].max(initial=0.0), 1e-300)
    for contact in run.contacts:
        if contact["friction_work"] > nothing:
            yield "work", (f"step {contact['step']}: {run.names[contact['body_a']]} and "
                           f"{run.names[contact['body_b']]}: friction does {contact['friction_work']:.3g} J")
            return
    for touch in find_touches(run):
        n, impulse = touch.normal, touch.contact["impulse"]
        slips = [u - (u @ n) * n for u in (touch.before, touch.after)]
        sizes = [np.linalg.norm(slip) for slip in slips]
        if min(sizes) < FAST * touch.slack or slips[0] @ slips[1] < STRAIGHT * sizes[0] * sizes[1]:
            continue
        most = friction_of(run, touch) * (impulse @ n) * np.linalg.norm(slips[0] + slips[1]) / 2
        work = (impulse - (impulse @ n) * n) @ (slips[0] + slips[1]) / 2
        if abs(work + most) > SLIDING * most + nothing:
            yield "work", f"{touch.where} slide on, and friction does {work:.3g} J instead of {-most:.3g} J"
            return
