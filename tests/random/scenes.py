"""Random scenes, as dictionaries in the scene format. The same family and seed give the same scene.

Only `random.Random.random` is drawn from: its stream is the same in every version of Python.
"""
import json
import math
import pathlib
import random

import numpy as np

STEP = 1.0 / 240.0  # s   of time stepping, of reports and of frames
GRAVITY = 9.81      # m/s^2
CASES = pathlib.Path(__file__).resolve().parent / "cases"  # scenes that broke a law once


class Draw:
    """Random numbers of a scene."""

    def __init__(self, family, seed):
        self._stream = random.Random(f"{family} {seed}")

    def unit(self):
        return self._stream.random()

    def uniform(self, low, high):
        return low + (high - low) * self.unit()

    def log_uniform(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def chance(self, probability):
        return self.unit() < probability

    def whole(self, low, high):
        """A whole number from low to high, both included."""
        return low + int(self.unit() * (high - low + 1))

    def choice(self, items):
        return items[self.whole(0, len(items) - 1)]

    def direction(self):
        z, phi = self.uniform(-1, 1), self.uniform(0, 2 * math.pi)
        r = math.sqrt(1 - z * z)
        return np.array([r * math.cos(phi), r * math.sin(phi), z])

    def quaternion(self):
        """Uniform over all rotations (Shoemake)."""
        u, a, b = self.unit(), self.uniform(0, 2 * math.pi), self.uniform(0, 2 * math.pi)
        s, c = math.sqrt(1 - u), math.sqrt(u)
        return [c * math.cos(b), s * math.sin(a), s * math.cos(a), c * math.sin(b)]


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def numbers(values):
    return [float(x) for x in values]


def prism(count, radius, height, tip=1.0):
    """Corners of a prism along z; tip 0 makes a cone, between 0 and 1 the stump of one."""
    ring = [(math.cos(2 * math.pi * k / count), math.sin(2 * math.pi * k / count))
            for k in range(count)]
    low = [[radius * x, radius * y, -height / 2] for x, y in ring]
    if tip == 0:
        return low + [[0, 0, height / 2]]
    return low + [[tip * radius * x, tip * radius * y, height / 2] for x, y in ring]


def draw_shapes(draw, size):
    """Shapes of one body, and a radius about its origin that holds them all."""
    kind = draw.choice(["sphere", "box", "cylinder", "capsule", "hull", "coin", "coin hull", "cone",
                        "dumbbell", "ellipsoid", "round box"])
    axis = draw.choice(["x", "y", "z"])
    if kind == "sphere":
        return [{"sphere": {"radius": size}}], size
    if kind == "box":
        half = [size * draw.uniform(0.2, 1) for _ in range(3)]
        return [{"box": {"half": half}}], math.hypot(*half)
    if kind == "round box":
        half = [size * draw.uniform(0.2, 1) for _ in range(3)]
        return [{"box": {"half": half, "radius": min(half) * draw.uniform(0.1, 0.9)}}], math.hypot(*half)
    if kind == "ellipsoid":
        semiaxes = [size * draw.uniform(0.3, 1) for _ in range(3)]
        return [{"ellipsoid": {"semiaxes": semiaxes}}], max(semiaxes)
    if kind in ("cylinder", "coin"):
        length = size * (draw.uniform(0.5, 2) if kind == "cylinder" else draw.uniform(0.05, 0.2))
        shape = {"cylinder": {"radius": size, "length": length, "axis": axis}}
        return [shape], math.hypot(size, length / 2)
    if kind == "capsule":
        radius, length = size * draw.uniform(0.2, 0.5), size
        shape = {"capsule": {"radius": radius, "length": length, "axis": axis}}
        return [shape], radius + length / 2
    if kind == "dumbbell":
        ball = size * 0.4
        shapes = [{"capsule": {"radius": size * 0.1, "length": size, "axis": "x"}},
                  {"sphere": {"radius": ball}, "position": [size / 2, 0, 0]},
                  {"sphere": {"radius": ball}, "position": [-size / 2, 0, 0]}]
        return shapes, size / 2 + ball
    if kind == "hull":
        stretch = [size * draw.uniform(0.3, 1) for _ in range(3)]
        points = [numbers(draw.direction() * stretch) for _ in range(draw.whole(8, 14))]
    elif kind == "coin hull":
        points = prism(draw.whole(6, 12), size, size * draw.uniform(0.1, 0.3))
    else:
        points = prism(draw.whole(6, 12), size, size * draw.uniform(0.5, 2),
                       draw.choice([0, draw.uniform(0.1, 0.6)]))
    return [{"polyhedron": {"points": points}}], max(math.hypot(*p) for p in points)


def draw_materials(draw):
    materials = {}
    for name in ["ground", "one", "two"]:
        friction = 0.0 if draw.chance(0.1) else draw.uniform(0, 1.5)
        u = draw.unit()
        restitution = 0.0 if u < 0.4 else 1.0 if u < 0.5 else draw.unit()
        materials[name] = {"friction": friction, "restitution": restitution}
    return materials


def draw_ground(draw):
    """Fixed bodies, and perhaps a belt: floors, ramps, walls."""
    floor = {"plane": {"normal": [0, 0, 1]}}
    kind = draw.choice(["floor", "floor", "ramp", "walls", "slab", "belt"])
    ground = {"name": "ground", "fixed": True, "material": "ground", "shapes": [floor]}
    if kind == "ramp":
        slope = draw.uniform(0.1, 0.7)
        ground["shapes"] = [{"plane": {"normal": [-math.sin(slope), 0, math.cos(slope)]}}]
        if draw.chance(0.5):
            ground["shapes"].append({"plane": {"normal": [1, 0, 0], "offset": -3.0}})
    elif kind == "walls":
        for normal in ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]):
            ground["shapes"].append({"plane": {"normal": normal, "offset": -3.0}})
    elif kind == "slab":
        ground["shapes"] = [{"box": {"half": [4, 4, 0.1]}, "position": [0, 0, -0.1]}]
    elif kind == "belt":
        del ground["fixed"]
        ground["motion"] = {"velocity": [draw.uniform(-1, 1), draw.uniform(-1, 1), 0]}
    return ground


def draw_joint(draw, mass, length):
    """A joint to a body of that mass at that distance, with its spring, motor and limits."""
    kind = draw.choice(["hinge", "slider", "ball"])
    inertia = mass if kind == "slider" else mass * length * length
    unit = length if kind == "slider" else 1.0
    joint = {}
    if kind != "slider":
        joint["anchor"] = [0, 0, length / 2]
    if kind != "ball":
        joint["axis"] = numbers(draw.direction())
        if draw.chance(0.4):
            joint["limits"] = [-draw.uniform(0.1, 1) * unit, draw.uniform(0.1, 1) * unit]
        joint["rate"] = draw.uniform(-3, 3) * unit
    elif draw.chance(0.4):
        joint["limit"] = draw.uniform(0.3, 1.5)
    rate = draw.log_uniform(5, 60)  # rad/s   of the spring with what hangs from it
    if draw.chance(0.3):
        joint["stiffness"] = inertia * rate * rate
    if draw.chance(0.3):
        joint["damping"] = inertia * rate * draw.unit()
    if draw.chance(0.1):
        joint["friction"] = mass * GRAVITY * unit * draw.uniform(0.01, 0.3)
    if kind != "ball" and draw.chance(0.3):
        effort = "force" if kind == "slider" else "torque"
        joint["motor"] = draw.choice([
            {effort: inertia * draw.uniform(-20, 20) * unit},
            {"velocity": draw.uniform(-5, 5) * unit, "gain": inertia * rate},
            {"position": draw.uniform(-1, 1) * unit, "stiffness": inertia * rate * rate,
             "damping": inertia * rate * draw.unit()}])
    return {kind: joint}


def place_free(draw, taken, radius, ground):
    """A centre above the ground whose ball meets none of the balls taken so far."""
    normal = ground["shapes"][0].get("plane", {}).get("normal", [0, 0, 1])
    for attempt in range(1000):
        reach = 0.4 + 0.002 * attempt
        x, y, above = (draw.uniform(-reach, reach), draw.uniform(-reach, reach),
                       draw.uniform(0.01, reach))
        centre = np.array([x, y, (radius - normal[0] * x) / normal[2] + above])
        if all(np.linalg.norm(centre - other) > radius + r for other, r in taken):
            taken.append((centre, radius))
            return centre
    raise RuntimeError("no place found")


def draw_mechanism(draw, count, decades, jointed):
    """A body and what hangs from it, without a place; and the radius that holds them all."""
    links = draw.whole(1, 3) if jointed and draw.chance(0.5) else 0
    size = draw.log_uniform(0.04, 0.08 if links else 0.16)
    bodies, reach, radius = [], 0.0, 0.0
    for k in range(min(1 + links, count)):
        shapes, next_radius = draw_shapes(draw, size)
        mass = 10 ** draw.uniform(-decades, decades)
        body = {"material": draw.choice(["one", "two"]), "mass": mass, "shapes": shapes}
        length = (radius + next_radius) * 1.05
        if k > 0:
            body["position"] = [0, 0, -length]
            body["joint"] = draw_joint(draw, mass, length)
            reach += length
        elif links and draw.chance(0.5):
            body["joint"] = draw_joint(draw, mass, 2 * next_radius)
            reach += next_radius
        bodies.append(body)
        radius = next_radius
    return bodies, reach + radius


def scattered(seed):
    """Two to eight bodies of all shapes that fall on a floor, half of the scenes with joints."""
    draw = Draw("scenes", seed)
    ground = draw_ground(draw)
    bodies, taken = [ground], []
    decades = draw.uniform(0, 2)  # masses from 10^-decades to 10^decades
    count = draw.whole(2, 8)
    jointed, overlapping = draw.chance(0.5), draw.chance(0.1)
    fast = 3.0 if draw.chance(0.2) else 1.0
    while len(bodies) <= count:
        mechanism, reach = draw_mechanism(draw, count + 1 - len(bodies), decades, jointed)
        root = mechanism[0]
        root["position"] = numbers(place_free(draw, taken, reach, ground))
        root["orientation"] = draw.quaternion()
        if "joint" not in root:
            root["velocity"] = numbers(draw.direction() * draw.uniform(0, 3) * fast)
            root["angular_velocity"] = numbers(draw.direction() * draw.uniform(0, 10) * fast)
        for k, body in enumerate(mechanism):
            body["name"] = f"body{len(bodies)}"
            if k > 0:
                body["parent"] = bodies[-1]["name"]
            bodies.append(body)
    if overlapping:
        overlap(draw, bodies)
    return scene(draw, f"scattered bodies {seed}", bodies, 1.0)


def overlap(draw, bodies):
    """Moves the last free body into the floor or into another one."""
    loose = [b for b in bodies if "velocity" in b and "parent" not in b]
    if not loose:
        return
    mover = loose[-1]
    if len(loose) > 1 and draw.chance(0.5):
        target = np.array(loose[0]["position"])
        away = np.array(mover["position"]) - target
        mover["position"] = numbers(target + away / np.linalg.norm(away) * draw.uniform(0.05, 0.15))
    else:
        mover["position"][2] = draw.uniform(0.01, 0.05)


def coin(seed):
    """One coin or cylinder, tilted, falls on a floor; some spin, some roll."""
    draw = Draw("coins", seed)
    radius = draw.log_uniform(0.01, 0.2)
    length = radius * draw.log_uniform(0.03, 3)
    if draw.chance(0.25):
        shapes = [{"polyhedron": {"points": prism(draw.whole(8, 16), radius, length)}}]
    else:
        shapes = [{"cylinder": {"radius": radius, "length": length}}]
    tilt, turn = draw.uniform(0, math.pi / 2), draw.uniform(0, 2 * math.pi)
    reach = radius * math.sin(tilt) + length / 2 * math.cos(tilt)
    spin = draw.log_uniform(0.1, 30) if draw.chance(0.7) else 0.0
    height = reach + (0.0 if draw.chance(0.2) else draw.uniform(0, 3) * radius)
    body = {"name": "coin", "material": "one", "density": draw.log_uniform(300, 9000),
            "shapes": shapes, "position": [0, 0, height],
            "orientation": {"axis": [math.cos(turn), math.sin(turn), 0], "radians": tilt},
            "velocity": [draw.uniform(-1, 1), draw.uniform(-1, 1), 0],
            "angular_velocity": numbers(draw.direction() * spin)}
    ground = {"name": "ground", "fixed": True, "material": "ground",
              "shapes": [draw.choice([{"plane": {"normal": [0, 0, 1]}},
                                      {"box": {"half": [3, 3, 0.1]}, "position": [0, 0, -0.1]}])]}
    return scene(draw, f"coin {seed}", [ground, body], 1.5)


def walls(seed):
    """Fast balls and boxes fly at a thin wall that is far wider than they get."""
    draw = Draw("walls", seed)
    thickness = draw.log_uniform(0.0005, 0.02)
    wall = {"name": "wall", "fixed": True, "material": "ground", "position": [1, 0, 0],
            "orientation": {"axis": [0, 0, 1], "degrees": draw.uniform(-20, 20)},
            "shapes": [{"box": {"half": [thickness / 2, 20, 20]}}]}
    floor = {"name": "floor", "fixed": True, "material": "ground",
             "shapes": [{"plane": {"normal": [0, 0, 1], "offset": -2.0}}]}
    bodies = [floor, wall]
    for k in range(draw.whole(1, 4)):
        size = draw.log_uniform(0.01, 0.08)
        shapes = draw.choice([[{"sphere": {"radius": size}}],
                              [{"box": {"half": [size, size * 0.7, size * 0.5]}}],
                              [{"cylinder": {"radius": size, "length": size * 0.3}}]])
        bodies.append({"name": f"shot{k + 1}", "material": "one", "shapes": shapes,
                       "mass": draw.log_uniform(0.01, 10),
                       "position": [draw.uniform(-0.5, 0), (k - 1.5) * 0.3, draw.uniform(-0.3, 0.3)],
                       "velocity": [draw.log_uniform(10, 300), draw.uniform(-2, 2), 0],
                       "orientation": draw.quaternion(),
                       "angular_velocity": numbers(draw.direction() * draw.uniform(0, 40))})
    return scene(draw, f"fast bodies and a thin wall {seed}", bodies, 0.3)


def stack(seed):
    """Bodies that rest on each other and must stay where they are."""
    draw = Draw("stacks", seed)
    ground = {"name": "ground", "fixed": True, "material": "ground",
              "shapes": [{"plane": {"normal": [0, 0, 1]}}]}
    bodies, height = [ground], 0.0
    decades, width = draw.uniform(0, 2), draw.uniform(0.1, 0.3)
    for k in range(draw.whole(2, 6)):
        half = [width * draw.uniform(0.7, 1), width * draw.uniform(0.7, 1),
                width * draw.uniform(0.1, 0.5)]
        shape = draw.choice([{"box": {"half": half}},
                             {"cylinder": {"radius": half[0], "length": 2 * half[2]}},
                             {"polyhedron": {"points": prism(draw.whole(6, 10), half[0],
                                                             2 * half[2])}}])
        bodies.append({"name": f"body{k + 1}", "material": "one", "shapes": [shape],
                       "mass": 10 ** draw.uniform(-decades, decades),
                       "position": [draw.uniform(-0.1, 0.1) * width,
                                    draw.uniform(-0.1, 0.1) * width, height + half[2]],
                       "orientation": {"axis": [0, 0, 1], "degrees": draw.uniform(0, 360)}})
        height += 2 * half[2]
    return scene(draw, f"stack at rest {seed}", bodies, 1.0)


def scene(draw, name, bodies, until):
    # A law of impact that every setting has; the settings of time stepping name it.
    return {"tenpin": 1, "name": name, "materials": draw_materials(draw), "bodies": bodies,
            "record": {"every": STEP, "contacts": "steps"},
            "law": draw.choice(["newton", "poisson"]), "until": until}


FAMILIES = {"scenes": scattered, "coins": coin, "walls": walls, "stacks": stack}


def stepping(**options):
    return lambda law: {"time-stepping": {"step": STEP, "restitution": law, **options}}


SETTINGS = {
    "default": stepping(),
    "lemke": stepping(solver="lemke"),
    "order1": stepping(order=1),
    "velocity": stepping(formulation="velocity"),
    "impulse": lambda law: {"impulse": {"interval": STEP, "law": law}},
    "analytic": lambda law: {"analytic": {"law": law}},
}


def make_scene(family, seed, setting):
    """The scene as it is written to a file. Cases that are kept do not change with this program."""
    kept = CASES / f"{family}-{seed}.json"
    made = json.loads(kept.read_text()) if kept.exists() else FAMILIES[family](seed)
    made["method"] = SETTINGS[setting](made.pop("law"))
    made["until"] = made.pop("until")  # a scene file ends with it
    return made
