"""Runs cells of one conversation and tells as JSON what came of each. Evaluates to its functions."""

import ast
import base64
import json
import linecache
import os
import re
import sys
import types

MAX_TEXT = 20_000
MAX_FILES = 20
MAX_SHOWN = 8
MAX_SHOWN_TEXT = 16 * 1024
MAX_SHOWN_IMAGE = 256 * 1024
# Commands of notebooks that have no effect here: installing packages, and where figures are drawn.
COMMAND = re.compile(r"^([ \t]*)([%!](?:matplotlib|config|pip|conda|uv|python3? -m pip)\b.*)$", re.MULTILINE)

SVG = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE svg[^>\[]*>\s*)?<svg[\s>]", re.DOTALL)
IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)

for name in [name for name in sys.modules if name.split(".")[0] in ("js", "pyodide_js")]:
    sys.modules.pop(name, None)
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
fsync = os.fsync
prepare_figures()
sys.modules["tabulate"] = types.ModuleType("tabulate")
sys.modules["tabulate"].__dict__.update(tabulate=tabulate, __version__="0.10.0")
main = types.ModuleType("__main__")
sys.modules["__main__"] = main
state = {"cells": 0}


def run_cell(code):
    state["cells"] += 1
    name = f"<cell {state['cells']}>"
    before = look_at_files()
    try:
        outcome = {"status": "done", "result": describe(evaluate(code, name))}
    except SystemExit as leaving:
        outcome = {"status": "done", "result": describe_exit(leaving)}
    except BaseException as error:
        outcome = {"status": "error", **explain(error)}
    # Output is sent line by line. `fsync` sends a last line without a line break.
    for finish in (lambda: sys.stdout.flush(), lambda: sys.stderr.flush(), lambda: fsync(1), lambda: fsync(2)):
        try:
            finish()
        except Exception:
            # The code may have closed or replaced the streams. They are restored below.
            pass
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    outcome["files"] = written_files(before)
    outcome["figures"] = drawn_figures()
    return json.dumps(outcome)


def parse(code, name):
    """The syntax tree of the code, or of its first repaired form that is valid."""
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    try:
        return ast.parse(code, name)
    except SyntaxError:
        # Some models escape a line break twice.
        unescaped = code if "\n" in code else code.replace("\\n", "\n").replace('\\"', '"')
        for repaired in (COMMAND.sub(r"\1pass  # \2", code), unescaped):
            try:
                tree = ast.parse(repaired, name)
            except SyntaxError:
                continue
            linecache.cache[name] = (len(repaired), None, repaired.splitlines(True), name)
            return tree
        raise


def evaluate(code, name):
    tree = parse(code, name)
    prepare_packages(tree)
    value = None
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, name, "exec"), main.__dict__)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), main.__dict__)
        main.__dict__["_"] = value
    return value


def describe_exit(leaving):
    code = leaving.code
    return None if code in (None, 0) else {"text": shorten(f"The code ended itself with {code!r}.")}


def describe(value):
    if value is None:
        return None
    table = as_table(value)
    if table is not None:
        return {"table": markdown(*table)}
    return {"text": shorten(repr(value))}


def shorten(text):
    left = len(text) - MAX_TEXT
    return text if left <= 0 else f"{text[:MAX_TEXT]}\n… {left} more characters"


def look_at_files():
    seen = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        for name in names:
            path = os.path.join(place, name)
            try:
                status = os.stat(path)
            except OSError:
                continue
            seen[path] = (status.st_size, status.st_mtime_ns)
            if len(seen) >= 2000:
                return seen
    return seen


def written_files(before):
    try:
        changed = sorted(path for path, mark in look_at_files().items() if before.get(path) != mark)
        described = [describe_file(path, index < MAX_SHOWN) for index, path in enumerate(changed[:MAX_FILES])]
    except Exception:
        return {"count": 0, "shown": []}
    return {"count": len(changed), "shown": described}


def describe_file(path, is_shown):
    name = os.path.relpath(path, folder)[:200]
    size = os.path.getsize(path)
    described = {"name": name, "size": size}
    if size > MAX_SHOWN_IMAGE or not is_shown:
        return described
    with open(path, "rb") as file:
        data = file.read()
    kind = next((kind for magic, kind in IMAGES if data.startswith(magic)), None)
    if kind == "image/webp" and data[8:12] != b"WEBP":
        kind = None
    if kind is None and SVG.match(data):
        kind = "image/svg+xml"
    if kind is not None:
        return {**described, "type": kind, "base64": base64.b64encode(data).decode()}
    if size > MAX_SHOWN_TEXT or b"\x00" in data:
        return described
    try:
        return {**described, "text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return described


{"run": run_cell, "missing_modules": missing_modules, "install": install}
