#!/usr/bin/env python3
"""Faults A1 to A14: syntax and encoding of scene files."""
import unittest

from program import BALL, FLOOR, FaultTest, scene


class Syntax(FaultTest):
    def test_A1_empty_file(self):
        self.refuse("", "scene.yaml:1:1", "empty")

    def test_A2_zero_bytes(self):
        self.refuse(b"\0" * (1 << 20))

    def test_A3_truncated_at_every_line(self):
        # Every byte of every example is cut in tests/scene/damage_test.cpp; here the program itself.
        text = scene()
        for end in range(0, len(text) - 1, 7):
            with self.subTest(end=end):
                self.refuse(text[:end])

    def test_A4_flipped_bits(self):
        # Every bit of every example is flipped in tests/scene/damage_test.cpp; here the program itself.
        text = scene().encode()
        for bit in range(0, 8 * len(text), 41):
            with self.subTest(bit=bit):
                damaged = bytearray(text)
                damaged[bit // 8] ^= 1 << bit % 8
                self.write("flipped.yaml", bytes(damaged))
                outcome = self.call("check", "flipped.yaml")
                self.assertIn(outcome.code, (0, 2, 5), outcome.text)

    def test_A5_trailing_garbage(self):
        self.refuse('{"tenpin": 1, "until": 1} garbage\n')
        self.refuse('{"tenpin": 1, "until": 1}}\n')

    def test_A6_duplicate_key(self):
        self.refuse(scene(["{name: a, mass: 1, mass: 2, shapes: [{sphere: {radius: 1}}]}"]), "mass")

    def test_A7_numbers_that_json_refuses(self):
        for number in ("NaN", "Infinity", "1e999", "-1e999", "0x10", "01", "+1", ".5", "1."):
            with self.subTest(number=number):
                body = f"{{name: a, mass: {number}, shapes: [{{sphere: {{radius: 1}}}}]}}"
                self.refuse(scene([body]), number)

    def test_A8_invalid_utf8(self):
        self.refuse(scene().encode().replace(b"ball", b"b\xff\xfel"))

    def test_A9_odd_characters_in_names(self):
        for name in ('"a\\0b"', '"a\\x07b"', '"a\\u202eb"', '"' + "x" * 300 + '"'):
            with self.subTest(name=name[:20]):
                self.refuse(scene([f"{{name: {name}, mass: 1, shapes: [{{sphere: {{radius: 1}}}}]}}"]))
        self.refuse(scene([f"{{name: {'x' * (10 << 20)}, mass: 1}}"]))

    def test_A10_byte_order_mark_and_line_ends(self):
        self.accept(b"\xef\xbb\xbf" + scene().encode())
        self.accept(scene().replace("\n", "\r\n").encode())
        self.refuse(scene().encode("utf-16"))

    def test_A11_deep_nesting(self):
        self.refuse("tenpin: 1\nbodies: " + "[" * 100_000 + "]" * 100_000 + "\nuntil: 1\n", "64")

    def test_A12_locale(self):
        german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        self.assertEqual(self.state_hash(scene(), environment=german), self.state_hash(scene()))

    def test_A13_numbers_come_back_bit_by_bit(self):
        self.write("scene.yaml", scene([FLOOR, BALL.replace("0.1]", "0.30000000000000004]")]))
        self.assertEqual(self.call("convert", "scene.yaml", "-o", "again.yaml").code, 0)
        self.assertIn("0.30000000000000004", (self.folder / "again.yaml").read_text())

    def test_A14_numbers_out_of_range(self):
        for mass in ("5e-324", "1e-400", "1e13"):
            with self.subTest(mass=mass):
                self.refuse(scene([f"{{name: a, mass: {mass}, shapes: [{{sphere: {{radius: 1}}}}]}}"]), "mass")


if __name__ == "__main__":
    unittest.main()
