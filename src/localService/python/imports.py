"""Finds the modules that a cell needs, and installs packages. Part of runner.py."""

import ast
import importlib
import importlib.util
import json
import os
import shutil
import site
import sys

# What packages load only when a function of this name is used.
OPTIONAL = {"read_excel": ["python_calamine"], "ExcelFile": ["python_calamine"], "read_html": ["lxml"]}
EXCEL = ("read_excel", "ExcelFile")
TARGETS = {"site": site.getsitepackages()[0], "library": "/usr/lib"}


def missing_modules(code):
    """Names of the modules that the code imports and that aren't there, as JSON."""
    try:
        tree = parse(code, "<imports>")
    except SyntaxError:
        return "[]"
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(dict.fromkeys(alias.name.split(".")[0] for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.update(dict.fromkeys([node.module.split(".")[0]]))
        elif isinstance(node, ast.Attribute):
            names.update(dict.fromkeys(OPTIONAL.get(node.attr, [])))
    return json.dumps([name for name in names if not is_there(name)])


def is_there(name):
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def install(path, target):
    """Unpacks a package's file and removes it."""
    os.makedirs(TARGETS[target], exist_ok=True)
    shutil.unpack_archive(path, TARGETS[target], "zip")
    os.remove(path)
    importlib.invalidate_caches()


def prepare_packages(tree):
    """Makes pandas read Excel's files with the package that Pyodide has for them."""
    uses_excel = any(isinstance(node, ast.Attribute) and node.attr in EXCEL for node in ast.walk(tree))
    if uses_excel and is_there("pandas") and is_there("python_calamine"):
        import pandas

        for kind in ("xlsx", "xls"):
            pandas.set_option(f"io.excel.{kind}.reader", "calamine")
