"""Counts the data members and functions of C++ classes, by a small parser of declarations.

It relies on the style of this project: one declaration per statement, balanced braces, no macros that
declare anything. Nested classes count separately.
"""
import re
from typing import NamedTuple

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'')
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
HEAD = re.compile(r"(?<!enum )\b(class|struct)\s+(?:\[\[\w+\]\]\s*)?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::(?!:)[^;{()]*)?\{")
ACCESS = re.compile(r"\b(?:public|protected|private)\s*:(?!:)")
NOT_A_MEMBER = re.compile(r"^(using|friend|typedef|enum|static_assert|class|struct|union|template\s*<[^;]*>\s*(class|struct|using)|static)\b")


class ClassSize(NamedTuple):
    name: str
    line: int
    members: int    # data members, without static ones
    functions: int  # without constructors, destructors, operators and deleted functions


def blank(text, pattern):
    """Replaces matches by blanks, so that line numbers do not change."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def find_end(text, begin):
    """The position after the brace that closes the one at `begin`."""
    depth = 0
    for position in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)


def statements(body):
    """Splits the class into its own declarations, without the contents of braces and parentheses."""
    found, current, position = [], "", 0
    body = blank(body, ACCESS)
    while position < len(body):
        char = body[position]
        if char == "{":
            end = find_end(body, position)
            current += "{}"
            position = end
            # A function's body ends the statement; an initialiser or a nested type has a semicolon.
            if body[position:].lstrip()[:1] not in (";", ",", "=", "{", ")"):
                found.append(current)
                current = ""
            continue
        if char == ";":
            found.append(current)
            current = ""
        else:
            current += char
        position += 1
    return [" ".join(s.split()) for s in found if s.strip()]


def strip_brackets(text):
    """Removes template arguments and the contents of parentheses and subscripts."""
    for pattern in (r"\[[^\[\]]*\]", r"<[^<>]*>"):
        last = None
        while last != text:
            last, text = text, re.sub(pattern, "", text)
    last = None
    while last != text:
        last, text = text, re.sub(r"\((?:[^()]|\(\))+\)", "()", text)
    return text


def count(name, body):
    members = functions = 0
    short = name.split("::")[-1]
    for statement in statements(body):
        plain = strip_brackets(statement)
        if re.match(r"(friend|using|static_assert)\b", plain) or "operator" in plain:
            continue
        if "(" in plain.split("=")[0]:
            is_special = re.search(rf"\b{short}\s*$", plain.split("(")[0]) or plain.endswith("= delete")
            functions += 0 if is_special else 1
        elif not NOT_A_MEMBER.match(plain):
            members += len(re.sub(r"\{\}|=[^,]*", "", plain).split(","))
    return members, functions


def class_sizes(text):
    """Yields the size of every class and struct that is defined in a source text."""
    for pattern in (COMMENT, LITERAL, DIRECTIVE):
        text = blank(text, pattern)
    for head in HEAD.finditer(text):
        begin = head.end() - 1
        body = text[begin + 1:find_end(text, begin) - 1]
        members, functions = count(head[2], body)
        yield ClassSize(head[2], text.count("\n", 0, head.start()) + 1, members, functions)
