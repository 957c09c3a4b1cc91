#!/usr/bin/env python3
"""Faults D1 to D14: shapes and mesh files."""
import math
import struct
import unittest

from program import FLOOR, FaultTest, scene

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
FACES = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]


def obj(vertices=CUBE, faces=FACES):
    lines = ["v " + " ".join(str(x) for x in v) for v in vertices]
    return "\n".join(lines + ["f " + " ".join(str(i) for i in f) for f in faces]) + "\n"


def mesh_scene(file="m.obj", more=""):
    return scene([f"{{name: a, mass: 1, shapes: [{{mesh: {{file: {file}{more}}}}}]}}"])


class Geometry(FaultTest):
    def refuse_mesh(self, content, *mentions, file="m.obj"):
        self.write(file, content)
        self.refuse(mesh_scene(file), *mentions)

    def test_D1_spheres(self):
        for radius in ("0", "-1", ".nan"):
            with self.subTest(radius=radius):
                self.refuse(scene([f"{{name: a, mass: 1, shapes: [{{sphere: {{radius: {radius}}}}}]}}"]), "radius")

    def test_D2_boxes(self):
        for size in ("[0, 1, 1]", "[1, -1, 1]"):
            with self.subTest(size=size):
                self.refuse(scene([f"{{name: a, mass: 1, shapes: [{{box: {{size: {size}}}}}]}}"]), "size")

    def test_D3_meshes_with_too_little(self):
        for content in (obj([], []), obj(CUBE[:3], [(1, 2, 3)]), "o empty\n"):
            with self.subTest(content=content[:20]):
                self.refuse_mesh(content, "m.obj")

    def test_D4_flat_meshes(self):
        flat = [(x, y, 0) for x in range(3) for y in range(3)]
        line = [(x, 0, 0) for x in range(8)]
        for vertices in (flat, line, [(1, 1, 1)] * 8):
            with self.subTest(vertices=vertices[:2]):
                self.refuse_mesh(obj(vertices, [(1, 2, 4)]), "m.obj")

    def test_D5_face_indices(self):
        for index in (0, -9, 99999999):
            with self.subTest(index=index):
                outcome = self.refuse_mesh_text(obj(CUBE, FACES + [(1, 2, index)]))
                self.assertIn("15", outcome.text, "the line of the file")

    def refuse_mesh_text(self, content):
        self.write("m.obj", content)
        return self.refuse(mesh_scene())

    def test_D6_vertices_that_are_no_numbers(self):
        for x in ("nan", "inf", "1e400"):
            with self.subTest(x=x):
                self.refuse_mesh(obj().replace("v -1 -1 -1", f"v {x} -1 -1"))

    def test_D7_open_and_inverted_meshes(self):
        # The shape is the convex hull: an open or inverted mesh has the same one, and a note says so.
        for faces in (FACES[:-1], [f[::-1] for f in FACES]):
            self.write("m.obj", obj(CUBE, faces))
            self.accept(mesh_scene())

    def test_D8_duplicates_and_slivers(self):
        sliver = [(0, 0, 0), (1e-20, 0, 0), (0, 1e-20, 0)]
        self.write("m.obj", obj(CUBE + CUBE + sliver, FACES + [(17, 18, 19)]))
        self.accept(mesh_scene())

    def test_D9_stl_that_claims_too_much(self):
        self.refuse_mesh(b"\0" * 80 + struct.pack("<I", 0xFFFFFFFF), file="m.stl")

    def test_D10_truncated_and_mislabelled_stl(self):
        triangles = [(a, b, c) for a in CUBE for b in CUBE for c in CUBE if a < b < c]
        body = b"".join(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles)
        whole = b"solid but binary".ljust(80) + struct.pack("<I", len(triangles)) + body
        self.write("m.stl", whole)
        self.accept(mesh_scene("m.stl"))
        self.refuse_mesh(whole[:-1], file="m.stl")

    def test_D11_other_formats(self):
        self.refuse_mesh("ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n", file="m.ply")
        self.refuse_mesh("OFF\n2000000000 1 0\n", file="m.off")

    def test_D12_mesh_used_often(self):
        self.write("m.obj", obj())
        body = ("{name: a, mass: 1, position: [0, 0, 5], shapes: [{mesh: {file: m.obj}}], "
                "repeat: {grid: [10, 10, 10], spacing: 3}}")
        self.accept(scene([FLOOR, body], until="0.02"))

    def test_D13_hulls_of_many_points(self):
        count = 20_000  # a million takes minutes
        points = []
        for i in range(count):
            z = 1 - (2 * i + 1) / count
            r, angle = math.sqrt(1 - z * z), i * math.pi * (3 - math.sqrt(5))
            points.append((r * math.cos(angle), r * math.sin(angle), z))
        self.write("m.obj", obj(points, [(1, 2, 3)]))
        self.expect_honest(self.run_scene(mesh_scene()))
        coplanar = [(math.cos(k), math.sin(k), 0.0) for k in range(7)] + CUBE
        self.write("m.obj", obj(coplanar, FACES))
        self.accept(mesh_scene())

    def test_D14_scales(self):
        self.write("m.obj", obj())
        for scale in ("1e-12", "1e12", "0"):
            with self.subTest(scale=scale):
                self.refuse(mesh_scene(more=f", scale: {scale}"))
        self.expect_honest(self.run_scene(mesh_scene(more=", scale: [-1, 1, 1]")), codes=(0, 2))


if __name__ == "__main__":
    unittest.main()
