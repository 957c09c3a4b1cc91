"""Distances between shapes, by support functions alone.

A direction in which two convex bodies are apart proves that they are: `separation` in any direction is
a lower bound of their signed distance. `calc_separation` searches for the best one.
"""
import itertools

import numpy as np

SPHERE, BOX, CAPSULE, CYLINDER, PLANE, POLYHEDRON, BOWL, ELLIPSOID = range(8)

REFINEMENTS = 20     # rounds of the search for a direction; it ends when one gains nothing
NEAREST_POINTS = 80  # most points of the search for the nearest ones; polytopes need some ten


def rotations(quaternions):
    """Matrices of quaternions w x y z, whose last axis has length 4."""
    w, x, y, z = np.moveaxis(np.asarray(quaternions), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


class Part:
    """A shape in its body's frame."""

    def __init__(self, kind, parameters, position, orientation, vertices, rounding=0.0):
        self.kind, self.parameters = kind, parameters
        self.rounding = rounding  # of a box: its vertices are those of the smaller box inside
        self.position, self.orientation = position, orientation
        self.vertices = vertices
        if kind == BOX:
            signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            self.vertices = signs * (np.asarray(parameters) - rounding)
        self.centre = np.zeros(3)
        if kind == POLYHEDRON:
            self.centre = (self.vertices.min(axis=0) + self.vertices.max(axis=0)) / 2
        self.radius, self.width = self._calc_sizes()
        self.normals = self._calc_normals()
        self.edges = self._calc_edges()

    def _calc_sizes(self):
        """Radius about the centre that holds the shape, and its least half width."""
        a, b = self.parameters[:2]
        if self.kind in (SPHERE, BOWL):
            return a, a
        if self.kind == CAPSULE:
            return a + b, a
        if self.kind == CYLINDER:
            return np.hypot(a, b), min(a, b)
        if self.kind == ELLIPSOID:
            return max(self.parameters), min(self.parameters)
        if self.kind == PLANE:
            return np.inf, np.inf
        reach = np.linalg.norm(self.vertices - self.centre, axis=1).max()
        axes = np.vstack([np.eye(3), polytope_normals(self.vertices)])
        extents = self.vertices @ axes.T
        half = (extents.max(axis=0) - extents.min(axis=0)).min() / 2
        return reach + self.rounding, half + self.rounding

    def _calc_normals(self):
        if self.kind in (BOX, ELLIPSOID):
            return np.eye(3)
        if self.kind == POLYHEDRON:
            return polytope_normals(self.vertices)
        return np.array([[0.0, 0.0, 1.0]])

    def _calc_edges(self):
        """Directions of edges, or of the axis."""
        if self.kind == POLYHEDRON:
            return polytope_edges(self.vertices, self.normals)
        return np.eye(3) if self.kind == BOX else np.array([[0.0, 0.0, 1.0]])

    def support(self, directions):
        """Largest d.x over the shape for every row d, in the shape's frame."""
        a, b = self.parameters[:2]
        if self.kind == SPHERE:
            return a * np.linalg.norm(directions, axis=1)
        if self.kind == CAPSULE:
            return a * np.linalg.norm(directions, axis=1) + b * np.abs(directions[:, 2])
        if self.kind == CYLINDER:
            return a * np.hypot(directions[:, 0], directions[:, 1]) + b * np.abs(directions[:, 2])
        if self.kind == ELLIPSOID:
            return np.linalg.norm(directions * self.parameters, axis=1)
        rounding = self.rounding * np.linalg.norm(directions, axis=1)
        return (directions @ self.vertices.T).max(axis=1) + rounding

    def support_point(self, d):
        """A point of the shape that lies farthest along d, in the shape's frame."""
        a, b = self.parameters[:2]
        along = np.array([0.0, 0.0, b if d[2] > 0 else -b])
        if self.kind in (SPHERE, CAPSULE):
            centre = along if self.kind == CAPSULE else np.zeros(3)
            return centre + a * d / max(np.linalg.norm(d), 1e-300)
        if self.kind == CYLINDER:
            radial = np.array([d[0], d[1], 0.0])
            return along + a * radial / max(np.linalg.norm(radial), 1e-300)
        if self.kind == ELLIPSOID:
            scaled = d * self.parameters
            return scaled * self.parameters / max(np.linalg.norm(scaled), 1e-300)
        corner = self.vertices[(self.vertices @ d).argmax()]
        return corner + self.rounding * d / max(np.linalg.norm(d), 1e-300)

    def farthest(self, point):
        """Largest distance of a point of the shape from `point`, in the shape's frame."""
        a, b = self.parameters[:2]
        if self.kind == SPHERE:
            return np.linalg.norm(point) + a
        if self.kind == CAPSULE:
            return max(np.linalg.norm(point - [0, 0, s * b]) for s in (-1, 1)) + a
        if self.kind == CYLINDER:
            return np.hypot(np.hypot(point[0], point[1]) + a, abs(point[2]) + b)
        if self.kind == ELLIPSOID:
            return farthest_on_ellipsoid(self.parameters, point)
        return np.linalg.norm(self.vertices - point, axis=1).max() + self.rounding


def farthest_on_ellipsoid(semiaxes, point):
    """The largest distance, by climbing from the ends of all axes."""
    best = 0.0
    for start in np.vstack([np.eye(3), -np.eye(3), [np.ones(3)], [-np.ones(3)]]):
        u = start / np.linalg.norm(start)
        for _ in range(200):
            u = semiaxes * (semiaxes * u - point) + 1e-3 * max(semiaxes) ** 2 * u
            u /= np.linalg.norm(u)
        best = max(best, np.linalg.norm(semiaxes * u - point))
    return best


def polytope_normals(vertices):
    """Outward unit normals of the faces of the hull of some points, by brute force."""
    scale = np.abs(vertices - vertices.mean(axis=0)).max()
    i, j, k = np.array(list(itertools.combinations(range(len(vertices)), 3))).T
    normals = np.cross(vertices[j] - vertices[i], vertices[k] - vertices[i])
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > 1e-9 * scale * scale
    normals, i = normals[kept] / lengths[kept, None], i[kept]
    heights = normals @ vertices.T
    heights -= np.take_along_axis(heights, i[:, None], axis=1)
    outward = normals[heights.max(axis=1) < 1e-9 * scale]
    inward = normals[heights.min(axis=1) > -1e-9 * scale]
    return distinct(np.vstack([outward, -inward]))


def polytope_edges(vertices, normals):
    """Directions of the edges: points shared by two faces."""
    heights = vertices @ normals.T
    on_face = heights > heights.max(axis=0) - 1e-9 * np.abs(vertices).max()
    found = []
    for i in range(len(vertices)):
        for j in range(i + 1, len(vertices)):
            if (on_face[i] & on_face[j]).sum() >= 2:
                edge = vertices[j] - vertices[i]
                found.append(edge / np.linalg.norm(edge))
    return distinct(np.array(found), lines=True)


def distinct(directions, lines=False):
    kept = []
    for d in directions:
        dots = [abs(d @ k) if lines else d @ k for k in kept]
        if not dots or max(dots) < 1 - 1e-12:
            kept.append(d)
    return np.array(kept)


class Placed:
    """A part where its body has it."""

    def __init__(self, part, position, orientation):
        self.part = part
        self.R = orientation @ part.orientation
        self.p = position + orientation @ part.position
        self.centre = self.p + self.R @ part.centre

    def highest(self, directions):
        return directions @ self.p + self.part.support(directions @ self.R)

    def lowest(self, directions):
        return directions @ self.p - self.part.support(-directions @ self.R)

    def point(self, direction):
        return self.p + self.R @ self.part.support_point(direction @ self.R)

    def plane_normal(self):
        return self.R[:, 2]


def separation(a, b, directions):
    """How far b is beyond a in each direction (rows of length 1)."""
    return b.lowest(directions) - a.highest(directions)


def bounding_gap(a, b):
    """A cheap lower bound of the distance."""
    if PLANE in (a.part.kind, b.part.kind) or BOWL in (a.part.kind, b.part.kind):
        return -np.inf
    return np.linalg.norm(b.centre - a.centre) - a.part.radius - b.part.radius


def calc_separation(a, b, enough, hints=()):
    """Signed distance of two placed parts, or a lower bound of it that is at least `enough`; and the
    direction that shows it."""
    for first, second, sign in ((a, b, 1), (b, a, -1)):
        if first.part.kind == PLANE:
            normal = first.plane_normal()[None]
            return float((second.lowest(normal) - normal @ first.p)[0]), sign * normal[0]
        if first.part.kind == BOWL:
            centre = second.R.T @ (first.p - second.p)
            return float(first.part.parameters[0] - second.part.farthest(centre)), np.zeros(3)
    if {a.part.kind, b.part.kind} <= {SPHERE, CAPSULE}:
        between = nearest_of_segments(a, b)
        if np.linalg.norm(between) > 1e-12:
            return best_of(a, b, normalized(between[None]))
    directions = normalized(np.array([b.centre - a.centre, a.R[:, 0], *hints]))
    best = best_of(a, b, directions)
    if best[0] >= enough:
        return best
    return search(a, b, enough, directions)


def nearest_of_segments(a, b):
    """Shortest vector between the axes of two capsules; the axis of a sphere is a point."""
    axes = [s.R[:, 2] * (s.part.parameters[1] if s.part.kind == CAPSULE else 0.0) for s in (a, b)]
    between = b.p - a.p
    candidates = []
    lengths = [axis @ axis for axis in axes]
    product = axes[0] @ axes[1]
    det = lengths[0] * lengths[1] - product ** 2
    if det > 1e-12 * lengths[0] * lengths[1]:  # the lines are nearest within both segments
        x = [axes[0] @ between, axes[1] @ between]
        s = (x[0] * lengths[1] - product * x[1]) / det
        t = (product * x[0] - lengths[0] * x[1]) / det
        if abs(s) <= 1 and abs(t) <= 1:
            candidates.append(between + t * axes[1] - s * axes[0])
    for end in (-1, 1):  # or at an end of one of them
        for k, sign in ((0, -1), (1, 1)):
            from_end = between + sign * end * axes[k]
            other, length = axes[1 - k], lengths[1 - k]
            place = np.clip(sign * (other @ from_end) / length, -1, 1) if length > 0 else 0.0
            candidates.append(from_end - sign * place * other)
    return min(candidates, key=np.linalg.norm)


def normalized(directions):
    lengths = np.linalg.norm(directions, axis=1)
    kept = directions[lengths > 1e-12]
    return kept / lengths[lengths > 1e-12, None]


def best_of(a, b, directions):
    values = separation(a, b, directions)
    k = values.argmax()
    return float(values[k]), directions[k]


def search(a, b, enough, directions):
    faces = np.vstack([a.part.normals @ a.R.T, b.part.normals @ b.R.T])
    edges = np.cross((a.part.edges @ a.R.T)[:, None], (b.part.edges @ b.R.T)[None]).reshape(-1, 3)
    candidates = normalized(np.vstack([directions, -directions, faces, -faces, edges, -edges]))
    values = separation(a, b, candidates)
    order = np.argsort(values)[::-1]
    best = (float(values[order[0]]), candidates[order[0]])
    # The best few candidates are improved: round surfaces touch in directions of their own.
    for start in order[:4]:
        if best[0] >= enough:
            break
        best = max(best, refine(a, b, candidates[start], float(values[start])), key=lambda r: r[0])
    return best


def refine(a, b, direction, value):
    """The direction of largest separation near one: b is moved out of a along it, and the nearest
    points of the two then show a better one, until that is no more so."""
    clearance = 0.1 * min(a.part.width, b.part.width)
    for _ in range(REFINEMENTS):
        difference = nearest_difference(a, b, (max(-value, 0) + clearance) * direction)
        if np.linalg.norm(difference) < 1e-12:
            break
        trial = difference / np.linalg.norm(difference)
        better = float(separation(a, b, trial[None])[0])
        if better <= value + 1e-9 * a.part.width:
            break
        direction, value = trial, better
    return value, direction


def nearest_difference(a, b, offset):
    """Shortest vector from a to b + offset: Wolfe's algorithm for the point of least norm."""
    def support(direction):
        return b.point(direction) + offset - a.point(-direction)

    points = np.array([support(a.centre - b.centre - offset)])
    weights = np.ones(1)
    for _ in range(NEAREST_POINTS):
        x = weights @ points
        new = support(-x)
        if x @ (x - new) <= 1e-10 * (x @ x):
            return x
        points, weights = np.vstack([points, new]), np.append(weights, 0.0)
        while True:
            n = len(points)
            system = np.ones((n + 1, n + 1))
            system[:n, :n], system[n, n] = points @ points.T, 0
            affine = np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0][:n]
            if affine.min() > 0:
                weights = affine
                break
            falling = affine <= 0
            ratio = (weights[falling] / (weights[falling] - affine[falling] + 1e-300)).min()
            weights = weights + ratio * (affine - weights)
            kept = weights > 1e-14
            if kept.all():
                kept[weights.argmin()] = False
            points, weights = points[kept], weights[kept] / weights[kept].sum()
    return weights @ points
