"""Explains the exceptions of a cell. Part of runner.py."""

import difflib
import errno
import os
import re
import traceback

MAX_NAMED = 20
# Advice for other places than this sandbox, by sentence or line.
FOREIGN_ADVICE = re.compile(
    r"(?:pip|conda|apt(?:-get)?|brew) install|pip or conda|micropip|loadPackage|pyodide|ensurepip", re.IGNORECASE
)
FRAME_OR_NAME = re.compile(r"  |[\w.]+: ")


def explain(error):
    """The traceback as Python prints it, from the cell on, and its last lines with a hint."""
    try:
        described = traceback.TracebackException(
            type(error), error, frames_of_cell(error), limit=20, max_group_depth=3
        )
        cut_library(described, error)
        last = "".join(described.format_exception_only())
        lines = "".join(described.format())
    except BaseException:
        last = lines = f"{type(error).__name__}\n"
    hint = hint_for(error)
    return {
        "traceback": shorten(without_advice(lines)),
        "summary": shorten("\n".join([without_advice(last), *([hint] if hint else [])])),
    }


def frames_of_cell(error):
    frames = error.__traceback__
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith("<cell"):
        frames = frames.tb_next
    return frames


def cut_library(described, error):
    """Removes earlier exceptions that were raised and caught outside the cell."""
    for name in ("__cause__", "__context__"):
        earlier = getattr(error, name)
        if earlier is not None and frames_of_cell(earlier) is None:
            setattr(described, name, None)


def without_advice(text):
    """The text without lines of advice. Keeps frames, which are indented, and what a line that names an exception says first."""
    lines = text.rstrip().split("\n")
    kept = (line for line in lines if FRAME_OR_NAME.match(line) or not FOREIGN_ADVICE.search(line))
    return "\n".join(line if line.startswith(" ") else first_sentences(line) for line in kept)


def first_sentences(line):
    first, *others = re.split(r"(?<=[.;])\s+", line)
    return " ".join([first, *(sentence for sentence in others if not FOREIGN_ADVICE.search(sentence))])


def hint_for(error):
    """What is different here, for failures that have no other reason."""
    try:
        if isinstance(error, ModuleNotFoundError) or (
            isinstance(error, ImportError) and FOREIGN_ADVICE.search(str(error))
        ):
            return missing_module(error)
        if isinstance(error, FileNotFoundError) and error.filename is not None:
            return files_like(error.filename)
        if isinstance(error, UnicodeDecodeError):
            return "The file's encoding is named where the files are listed; pass it as `encoding`."
        number = getattr(getattr(error, "reason", error), "errno", None)
        if number in (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ECONNREFUSED):
            return "There is no network here."
        text = str(error)
        if "start new thread" in text:
            return "There are no threads here; run the work in a loop."
        if "does not support processes" in text:
            return "There are no processes here."
    except Exception:
        # The exception's own methods failed.
        return None
    return None


def missing_module(error):
    if (error.name or "").startswith("pyodide_js") or error.name == "js":
        return "There is no asyncio here; call functions directly."
    if re.search(r"\b(?:openpyxl|xlrd|xlsxwriter|pyxlsb)\b", str(error), re.IGNORECASE):
        return "Workbooks are read with pandas.read_excel or python_calamine here; write tables as CSV."
    return "Nothing else can be installed here; go on with what is there."


def files_like(path):
    """The working folder's files, those with a similar name first."""
    path = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else str(path)
    wanted = re.split(r"[/\\]", path.strip("\"'` "))[-1].lower()
    names = sorted(os.path.relpath(found, folder) for found in look_at_files())
    names.sort(key=lambda name: -difflib.SequenceMatcher(None, wanted, name.lower()).ratio())
    if not names:
        return "There are no files in the working folder."
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"Files in the working folder: {', '.join(map(repr, names[:MAX_NAMED]))}{more}"
