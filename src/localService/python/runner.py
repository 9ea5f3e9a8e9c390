"""Runs cells of one conversation and tells as JSON what came of each. Evaluates to the function that does so."""

import ast
import base64
import json
import linecache
import math
import os
import sys
import traceback
import types

MAX_TEXT = 20_000
MAX_ROWS = 50
MAX_COLUMNS = 16
MAX_CELL = 80
MAX_FILES = 8
MAX_SHOWN_TEXT = 16 * 1024
MAX_SHOWN_IMAGE = 256 * 1024
OWN_FILE = "<runner>"

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
main = types.ModuleType("__main__")
sys.modules["__main__"] = main
state = {"cells": 0}


def run_cell(code):
    state["cells"] += 1
    name = f"<cell {state['cells']}>"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    before = look_at_files()
    try:
        outcome = {"status": "done", "result": describe(evaluate(code, name))}
    except SystemExit as leaving:
        outcome = {"status": "done", "result": describe_exit(leaving)}
    except BaseException as error:
        outcome = {"status": "error", "traceback": explain(error)}
    # Output is sent line by line. `fsync` sends a last line without a line break.
    for finish in (lambda: sys.stdout.flush(), lambda: sys.stderr.flush(), lambda: fsync(1), lambda: fsync(2)):
        try:
            finish()
        except Exception:
            # The code may have closed or replaced the streams. They are restored below.
            pass
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    outcome["files"] = written_files(before)
    return json.dumps(outcome)


def evaluate(code, name):
    tree = ast.parse(code, name)
    value = None
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, name, "exec"), main.__dict__)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), main.__dict__)
        main.__dict__["_"] = value
    return value


def explain(error):
    """The traceback as Python prints it, from the cell on."""
    frames = error.__traceback__
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith("<cell"):
        frames = frames.tb_next
    try:
        lines = traceback.format_exception(type(error), error, frames, limit=20)
    except BaseException:
        lines = [f"{type(error).__name__}\n"]
    return shorten("".join(lines).rstrip())


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


def as_table(value):
    """Columns, rows and the number of all rows, where the value is a table; else None."""
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(row, dict) and row for row in value):
            columns = list(dict.fromkeys(key for row in value[:1000] for key in row))
            return columns, [[row.get(key, "") for key in columns] for row in value[:MAX_ROWS]], len(value)
        width = len(value[0]) if isinstance(value[0], (list, tuple)) else 0
        if width > 1 and all(isinstance(row, (list, tuple)) and len(row) == width for row in value):
            names = getattr(value[0], "_fields", None) or [str(index) for index in range(width)]
            return list(names), [list(row) for row in value[:MAX_ROWS]], len(value)
    if isinstance(value, dict) and len(value) > 1:
        items = list(value.items())
        if all(is_scalar(item) for _, item in items):
            return ["key", "value"], [list(pair) for pair in items[:MAX_ROWS]], len(items)
        lengths = {len(item) if isinstance(item, (list, tuple)) else -1 for _, item in items}
        if len(lengths) == 1 and -1 not in lengths and 0 not in lengths:
            rows = [list(row) for row in zip(*(item[:MAX_ROWS] for _, item in items))]
            return [key for key, _ in items], rows, lengths.pop()
    return None


def is_scalar(value):
    return value is None or isinstance(value, (str, int, float, bool))


def markdown(columns, rows, count):
    shown = min(len(columns), MAX_COLUMNS)
    numeric = [
        all(isinstance(row[index], (int, float)) or row[index] in ("", None) for row in rows)
        for index in range(shown)
    ]
    lines = [
        line(cell(column) for column in columns[:shown]),
        line("--:" if is_number else ":--" for is_number in numeric),
        *(line(cell(value) for value in row[:shown]) for row in rows),
    ]
    more = []
    if count > len(rows):
        more.append(f"{count - len(rows):,} more rows")
    if len(columns) > shown:
        more.append(f"{len(columns) - shown:,} more columns")
    return "\n".join(lines) + (f"\n\nand {' and '.join(more)}" if more else "")


def line(cells):
    return f"| {' | '.join(cells)} |"


def cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:.10g}" if math.isfinite(value) else str(value)
    else:
        text = str(value)
    text = " ".join(text[: MAX_CELL * 4].split())
    text = text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|~&!#" else letter for letter in text)


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
        changed = [path for path, mark in look_at_files().items() if before.get(path) != mark]
        shown = [describe_file(path) for path in sorted(changed)[:MAX_FILES]]
    except Exception:
        return {"count": 0, "shown": []}
    return {"count": len(changed), "shown": shown}


def describe_file(path):
    name = os.path.relpath(path, folder)[:200]
    size = os.path.getsize(path)
    described = {"name": name, "size": size}
    if size > MAX_SHOWN_IMAGE:
        return described
    with open(path, "rb") as file:
        data = file.read()
    kind = next((kind for magic, kind in IMAGES if data.startswith(magic)), None)
    if kind == "image/webp" and data[8:12] != b"WEBP":
        kind = None
    if kind is not None:
        return {**described, "type": kind, "base64": base64.b64encode(data).decode()}
    if size > MAX_SHOWN_TEXT or b"\x00" in data:
        return described
    try:
        return {**described, "text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return described


run_cell
