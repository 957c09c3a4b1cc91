#!/usr/bin/env python3
"""Faults H1 to H8 and N14, N15: paths, bombs and texts that files may hold."""
import os
import socket
import subprocess
import unittest

from program import BALL, FLOOR, PROGRAM, FaultTest, scene

URDF = '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ' \
       'ixy="0" ixz="0" iyz="0"/></inertial></link></robot>\n'


class Security(FaultTest):
    def test_H1_paths_that_leave_the_folder(self):
        os.symlink("/etc/passwd", self.folder / "link.obj")
        os.mkfifo(self.folder / "pipe.obj")
        for path in ("/etc/passwd", "../../x.obj", "link.obj", "file:///etc/passwd", "http://localhost/x.obj",
                     '"\\\\\\\\host\\\\x.obj"', '"a\\0b.obj"', "/dev/zero", "pipe.obj", "/proc/self/mem", "."):
            with self.subTest(path=path):
                self.refuse(scene([f"{{name: a, mass: 1, shapes: [{{mesh: {{file: {path}}}}}]}}"]))

    def test_H2_xml_bombs(self):
        entity = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
        outside = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]>\n'
        for head in (entity, outside, '<!DOCTYPE r SYSTEM "x.dtd">\n'):
            with self.subTest(head=head):
                self.refuse(head + URDF.replace('name="r"', 'name="&a;"'), name="robot.urdf")

    def test_H3_yaml_bombs(self):
        lines = ['a: &a [x, x, x, x, x, x, x, x, x]'] + \
            [f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]" for i in range(8)]
        self.refuse("\n".join(lines) + "\n")

    def test_H4_generators(self):
        body = BALL.replace("shapes", "repeat: {grid: [1000000, 1000000, 1], spacing: 1}, shapes")
        outcome = self.run_scene(scene([FLOOR, body]))
        self.assertEqual(outcome.code, 5, outcome.text)
        self.assertIn("max-bodies", outcome.text)

    def test_H5_compressed_scenes(self):
        import gzip
        self.refuse(gzip.compress(b" " * (10 << 20)))

    def test_H6_server_answers_this_machine_alone(self):
        self.write("scene.yaml", scene())
        self.assertEqual(self.call("run", "scene.yaml", "-q", "-o", "run.h5").code, 0)
        server = subprocess.Popen([PROGRAM, "view", "run.h5", "--no-open"], cwd=self.folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            line = next(text for text in server.stdout if "http://" in text)
            address = line.split("http://", 1)[1].split()[0]
            self.assertTrue(address.startswith("127.0.0.1:"), line)
            port = int(address.split(":")[1].split("/")[0])
            root = "/" + address.split("/", 1)[1] if "/" in address else "/"
            requests = [(f"GET {root} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", b" 200 "),
                        (f"GET {root} HTTP/1.1\r\nHost: evil.example\r\n\r\n", b" 403 "),
                        (f"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", b" 40"),
                        (f"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n", b" 40"),
                        (f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: {'a' * (1 << 20)}\r\n\r\n", b" 4")]
            for request, want in requests:
                with self.subTest(request=request[:60]):
                    answer = self.ask(port, request)
                    if answer:  # a server may also hang up
                        self.assertIn(want, answer.split(b"\r\n")[0] + b" ")
                    self.assertNotIn(b"root:", answer)
            self.assertIn(b" 200 ", self.ask(port, requests[0][0]).split(b"\r\n")[0], "still there")
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()

    @staticmethod
    def ask(port, request):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            try:
                connection.sendall(request.encode())
                return connection.recv(4096)
            except OSError:
                return b""

    def test_H7_names_are_escaped_in_pages(self):
        self.write("scene.yaml", scene([FLOOR, BALL.replace("name: ball", 'name: "<script>alert(1)<-script>"')],
                                       head='name: "<script>alert(2)</script>"'))
        self.assertEqual(self.call("run", "scene.yaml", "-q", "--html", "page.html").code, 0)
        page = (self.folder / "page.html").read_text()
        self.assertNotIn("<script>alert(", page)

    def test_H8_cells_are_no_formulas(self):
        self.write("scene.yaml", scene([FLOOR, BALL.replace("name: ball", 'name: "=cmd()"')]))
        self.assertEqual(self.call("run", "scene.yaml", "-q", "-o", "run.h5").code, 0)
        table = self.call("info", "run.h5", "--csv", "frames").out.decode()
        self.assertIn("'=cmd()", table)
        self.assertNotIn(",=cmd()", table)

    def test_N14_included_models(self):
        include = "tenpin: 1\nmodels: [{{file: {}}}]\nuntil: 1\n"
        self.refuse(include.format("none.yaml"), "none.yaml")
        self.refuse(include.format("../../etc/passwd"))
        self.write("twice.yaml", scene([BALL]))
        self.refuse("tenpin: 1\nmodels: [{file: twice.yaml}, {file: twice.yaml}]\nuntil: 1\n", "ball")
        self.write("bad.yaml", scene(["{name: a, mass: -1, shapes: [{sphere: {radius: 1}}]}"]))
        self.refuse(include.format("bad.yaml"), "bad.yaml:3:")

    def test_N15_expressions(self):
        for text in ("1/0", "1e300*1e300", "(" * 100_000 + "1" + ")" * 100_000, "nothing", "sqrt(-1)", "1 +"):
            with self.subTest(text=text[:20]):
                self.refuse(scene([FLOOR, BALL.replace("0.1]", f'"${{{text}}}"]')]))


if __name__ == "__main__":
    unittest.main()
