"""Checks docs/scene.schema.json with PyYAML and jsonschema: it is a valid schema, accepts every
example scene, and refuses those of tests/scene/bad whose fault a schema can express."""
import json
import pathlib
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML with JSON's idea of numbers and flags, which is Tenpin's."""


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] == "tag:yaml.org,2002:null"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^-?(0|[1-9][0-9]*)$"), list("-0123456789"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"), list("-0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))

# Faults between values, or in the text itself, are beyond a schema; 1e-400 is 0 to Python.
EXPRESSIBLE = re.compile(
    r": (unknown key|unknown value|wrong length|wrong type|not whole, got [0-9]+\.|not a seed|out of range, got (?!1e-400)-?[0-9]"
    r"|missing, got nothing, want (a number|a name|1)|missing, got none)")


def main(root):
    schema = json.loads((root / "docs/scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = []
    examples = sorted((root / "scenes").glob("*.yaml"))
    for file in examples:
        for error in validator.iter_errors(yaml.load(file.read_text(), Loader)):
            faults.append(f"{file.name}: the schema refuses it: {error.message}")
    checked = 0
    for file in sorted((root / "tests/scene/bad").glob("*.yaml")):
        text = file.read_text()
        if not EXPRESSIBLE.search(text.splitlines()[0]):
            continue
        checked += 1
        if validator.is_valid(yaml.load(text, Loader)):
            faults.append(f"{file.name}: the schema accepts it")
    if len(examples) < 15 or checked < 120:
        faults.append(f"only {len(examples)} examples and {checked} bad scenes were found")
    print("\n".join(faults) or f"{len(examples)} examples, {checked} bad scenes: all as expected")
    return 1 if faults else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
