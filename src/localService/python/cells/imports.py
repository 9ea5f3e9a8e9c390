"""Finds the modules that a cell needs, and installs packages. Part of runner.py."""

import ast
import importlib
import importlib.util
import json
import os
import shutil
import site
import sys

# Modules that packages load only when a function or a parser of this name is used, by the package.
OPTIONAL = {
    "pandas": {
        **dict.fromkeys(["read_excel", "ExcelFile"], "python_calamine"),
        **dict.fromkeys(["plot", "hist", "boxplot"], "matplotlib"),
        **dict.fromkeys(["read_parquet", "to_parquet", "read_feather"], "pyarrow"),
        **dict.fromkeys(["read_html", "read_xml", "to_xml"], "lxml"),
        "style": "jinja2",
    },
    "polars": {"to_pandas": "pandas", "to_numpy": "numpy", "to_arrow": "pyarrow"},
    "bs4": {"lxml": "lxml", "html5lib": "html5lib"},
}
EXCEL_ENGINES = ("openpyxl", "xlrd", "pyxlsb", "odf")
EXCEL_KINDS = ("xlsx", "xlsm", "xlsb", "xls", "ods")
TARGETS = {"site": site.getsitepackages()[0], "library": "/usr/lib"}


def missing_modules(code):
    """Names of the modules that the code imports and that aren't there, as JSON."""
    try:
        tree = parse(code, "<imports>")
    except SyntaxError:
        return "[]"
    modules, functions = names_in(tree)
    for package, optional in OPTIONAL.items():
        if package in modules or package in sys.modules:
            modules += [module for function, module in optional.items() if function in functions]
    return json.dumps([name for name in dict.fromkeys(modules) if not is_there(name)])


def names_in(tree):
    """Modules that the code imports, names that it takes from modules and objects, and parsers that it names."""
    modules, functions = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules.append(node.module.split(".")[0])
            functions.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            functions.add(node.attr)
        elif isinstance(node, ast.Constant) and node.value in OPTIONAL["bs4"]:
            functions.add(node.value)
    return modules, functions


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
    """Makes pandas read workbooks with the package that Pyodide has for them, also where code names another."""
    _, functions = names_in(tree)
    if functions.isdisjoint(["read_excel", "ExcelFile"]) or not (is_there("pandas") and is_there("python_calamine")):
        return
    import pandas

    for kind in EXCEL_KINDS:
        pandas.set_option(f"io.excel.{kind}.reader", "calamine")
    engines = getattr(pandas.ExcelFile, "_engines", {})
    for engine in EXCEL_ENGINES:
        if "calamine" in engines and not is_there(engine):
            engines[engine] = engines["calamine"]
