"""Describes a value as a Markdown table where it is one. Part of runner.py."""

import math
import numbers

MAX_ROWS = 50
MAX_COLUMNS = 16
MAX_CELL = 80


def as_table(value):
    """Columns, rows and the number of all rows, where the value is a table; else None."""
    library = type(value).__module__.split(".")[0]
    if library in ("pandas", "polars") and hasattr(value, "head"):
        return of_frame(value, library)
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


def of_frame(value, library):
    """The table of a DataFrame or a Series, with the index of pandas as the first column."""
    if library == "polars":
        frame = value.to_frame() if hasattr(value, "to_frame") else value
        return list(frame.columns), [list(row) for row in frame.head(MAX_ROWS).rows()], len(frame)
    if not hasattr(value, "index"):
        return None
    head = value.head(MAX_ROWS)
    if hasattr(value, "columns"):
        names = [flat(name) for name in value.columns]
        rows = [list(row) for row in head.itertuples(index=False, name=None)]
    else:
        names = [flat(value.name) if value.name is not None else ""]
        rows = [[item] for item in head]
    index = [flat(label) for label in head.index]
    title = flat(value.index.name) if value.index.name is not None else ""
    return [title, *names], [[label, *row] for label, row in zip(index, rows)], len(value)


def tabulate(data, headers=(), tablefmt="pipe", showindex="default", **others):
    """Stands in for the package of this name, which `to_markdown` of pandas needs: always writes Markdown."""
    if hasattr(data, "itertuples"):
        columns = [flat(name) for name in data.columns]
        rows = [list(row) for row in data.itertuples(index=False, name=None)]
        if showindex not in (False, "never"):
            columns = ["", *columns]
            rows = [[flat(label), *row] for label, row in zip(data.index, rows)]
    else:
        keys = list(data) if isinstance(data, dict) else []
        rows = list(zip(*data.values())) if keys else list(data)
        if rows and isinstance(rows[0], dict):
            keys = list(dict.fromkeys(key for row in rows for key in row))
            rows = [[row.get(key, "") for key in keys] for row in rows]
        first = rows.pop(0) if headers == "firstrow" and rows else []
        width = max((len(row) for row in [*rows, keys]), default=0)
        columns = {"keys": keys, "firstrow": first}.get(headers, headers) if isinstance(headers, str) else headers
        columns = list(columns) or [""] * width
    kept = [["" if value is None else plain(value) for value in row] for row in [columns, *rows]]
    return "\n".join([line(kept[0]), line("---" for _ in kept[0]), *map(line, kept[1:])])


def plain(value):
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return " ".join(text.split()).replace("|", "\\|")


def flat(label):
    return " / ".join(map(str, label)) if isinstance(label, tuple) else label


def is_scalar(value):
    return value is None or isinstance(value, (str, int, float, bool))


def markdown(columns, rows, count):
    shown = min(len(columns), MAX_COLUMNS)
    numeric = [
        all(isinstance(row[index], numbers.Real) or row[index] is None or row[index] == "" for row in rows)
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
