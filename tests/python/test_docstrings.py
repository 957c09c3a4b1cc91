"""Every docstring of the package has an example, and all examples are run."""
import doctest
import importlib.util
import inspect
import os
import unittest

os.environ["MPLBACKEND"] = "Agg"

import numpy as np

import tenpin
from tenpin import _simulation

PARSER = doctest.DocTestParser()
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
NEEDS = {doctest.register_optionflag(name.upper()): name for name in ("pandas", "matplotlib")}


def public_parts(cls):
    """(name, function or property) of a class that are the package's own."""
    own = [vars(base) for base in inspect.getmro(cls) if base.__module__.startswith("tenpin")]
    for name in sorted({name for names in own for name in names if not name.startswith("_")}):
        part = inspect.getattr_static(cls, name)
        if callable(part) or isinstance(part, property):
            yield name, part


def docstrings():
    """(name, docstring, docstring of the class, must it exist)."""
    things = [(name, getattr(tenpin, name)) for name in tenpin.__all__]
    things += [(f"gymnasium.{name}", getattr(tenpin.gymnasium, name)) for name in tenpin.gymnasium.__all__]
    things += [("NamedVector", _simulation.NamedVector)]
    yield "tenpin", tenpin.__doc__, "", True
    for name, thing in things:
        if not callable(thing) or not thing.__module__.startswith("tenpin"):
            continue
        yield name, thing.__doc__, "", True
        for part, member in public_parts(thing) if inspect.isclass(thing) else []:
            yield f"{name}.{part}", member.__doc__, thing.__doc__, callable(member)


def has_what_it_needs(example):
    return all(importlib.util.find_spec(name) for flag, name in NEEDS.items() if example.options.get(flag))


class Docstrings(unittest.TestCase):
    def test_have_examples(self):
        names = []
        for name, text, _, must_exist in docstrings():
            if must_exist or text:
                self.assertIn(">>>", text or "", name)
                names.append(name)
        self.assertGreater(len(names), 80)


def load_tests(loader, tests, pattern):
    for name, text, text_of_class, _ in docstrings():
        if not text:
            continue
        examples = [e for e in PARSER.get_examples(text_of_class or "") + PARSER.get_examples(text) if has_what_it_needs(e)]
        tests.addTest(doctest.DocTestCase(doctest.DocTest(examples, {"np": np}, name, None, None, text), optionflags=FLAGS))
    return tests


if __name__ == "__main__":
    unittest.main()
