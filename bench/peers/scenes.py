"""The speed scenes, written as scene files: make_scenes(folder) returns {name: file}."""

STEP = 1 / 240  # s

HEAD = """tenpin: 1
name: {name}
gravity: [0, 0, -9.81]
seed: 7
materials:
  all: {{friction: {friction}, restitution: {restitution}}}
bodies:
"""
TAIL = """method: {{time-stepping: {{step: {step!r}, solver: cone, restitution: {law}, contact: {{compliance: {compliance}}}}}}}
record: {{every: 0.05}}
until: {until}
"""
FLOOR = "  - {name: floor, fixed: true, material: all, shapes: [{plane: {}}]}\n"


def body(name, shape, position, more=""):
    return f"  - {{name: {name}, material: all, mass: 1, position: {list(position)}, shapes: [{{{shape}}}]{more}}}\n"


def balls(grid, half_width, spacing=0.11, jitter=0.004):
    """A grid of balls, a little out of order, above a floor; between walls if there is a half width."""
    walls = "".join(f", {{plane: {{normal: {n}, offset: {-half_width}}}}}" for n in
                    ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0])) if half_width else ""
    bin_ = f"  - {{name: bin, fixed: true, material: all, shapes: [{{plane: {{}}}}{walls}]}}\n"
    corner = [-0.5 * spacing * (grid[0] - 1), -0.5 * spacing * (grid[1] - 1), 0.06]
    repeat = f", repeat: {{grid: {list(grid)}, spacing: {spacing}, jitter: {jitter}}}"
    return bin_ + body("ball", "sphere: {radius: 0.05}", corner, repeat)


def bin_of_balls(side):
    """Ten layers that nearly touch from the start: heaps of more balls are wider, not higher."""
    spacing = 0.1005
    return balls((side, side, 10), 0.5 * spacing * side + 0.002, spacing, 0.0002)


def pyramid(rows):
    text = FLOOR
    for row in range(rows):
        count = rows - row
        repeat = f", repeat: {{stack: {count}, spacing: [0.22, 0, 0]}}"
        position = [-0.11 * (count - 1), 0, 0.1 + 0.2 * row]
        text += body(f"row{row}", "box: {half: [0.1, 0.1, 0.1]}", position, repeat)
    return text


def dominoes(count):
    half = "box: {half: [0.01, 0.05, 0.1]}"
    first = body("first", half, [0, 0, 0.1], ", velocity: [0.4, 0, 0], angular_velocity: [0, 4, 0]")
    repeat = f", repeat: {{stack: {count - 1}, spacing: [0.06, 0, 0]}}"
    return FLOOR + first + body("stone", half, [0.06, 0, 0.1], repeat)


def pool():
    ball = "sphere: {radius: 0.0285}"
    text = FLOOR + body("cue", ball, [-1, 0.002, 0.0285], ", velocity: [8, 0, 0]")
    for row in range(5):
        for i in range(row + 1):
            position = [0.0495 * row, 0.0572 * (i - row / 2), 0.0285]
            text += body(f"ball{row}{i}", ball, position)
    return text


# name: (bodies, number of bodies, friction, restitution, seconds)
SCENES = {
    "grid-216": (lambda: balls((6, 6, 6), 0), 216, 0.5, 0, 2),
    "pile-250": (lambda: balls((5, 5, 10), 0.3), 250, 0.4, 0, 2),
    "pile-1000": (lambda: balls((10, 10, 10), 0.6), 1000, 0.4, 0, 2),
    "pile-4000": (lambda: balls((20, 20, 10), 1.15), 4000, 0.4, 0, 1),
    "bin-1000": (lambda: bin_of_balls(10), 1000, 0.3, 0, 0.25),
    "bin-10240": (lambda: bin_of_balls(32), 10240, 0.3, 0, 0.25),
    "pyramid-55": (lambda: pyramid(10), 55, 0.5, 0, 2),
    "pyramid-210": (lambda: pyramid(20), 210, 0.5, 0, 2),
    "pyramid-990": (lambda: pyramid(44), 990, 0.5, 0, 1),
    "dominoes-500": (lambda: dominoes(500), 500, 0.4, 0, 2),
    "pool": (pool, 16, 0.2, 0.9, 2),
}


def make_scenes(folder, compliance=0.03):
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, (bodies, _, friction, restitution, until) in SCENES.items():
        law = "newton" if restitution else "none"
        files[name] = folder / f"{name}.yaml"
        files[name].write_text(
            HEAD.format(name=name, friction=friction, restitution=restitution) + bodies() +
            TAIL.format(step=STEP, law=law, compliance=compliance, until=until))
    return files
