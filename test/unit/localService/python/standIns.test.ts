// @module-tag thorough
import type { FigureColors } from "../../../../src/common/clipLooks.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
	type MirrorPackage,
	openBench,
	type PackageBench,
	startMirror,
	wheelOf,
} from "../../../helpers/packageMirror.ts";
import { matplotlibFiles } from "../../../helpers/matplotlibStandIn.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";

// Loading Python takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Stands in for pandas: chooses an engine for workbooks as it does, and returns the engine's reader. */
const pandas = `
options = {}
def set_option(name, value):
    assert name.startswith("io.excel.") and name.endswith(".reader")
    options[name] = value
class ExcelFile:
    _engines = {name: name for name in ("xlrd", "openpyxl", "odf", "pyxlsb", "calamine")}
def read_excel(path, engine=None):
    kind = path.rsplit(".")[-1]
    return "read with " + ExcelFile._engines[engine or options.get(f"io.excel.{kind}.reader", "openpyxl")]
class DataFrame:
    def plot(self):
        import matplotlib
        return "drawn"
    columns, index = ["name", ("sum", "of a|b")], [0, 1]
    def itertuples(self, index, name): return iter([("x", 1.5), ("y", None)])
    def to_markdown(self, index=True):
        import importlib
        return importlib.import_module("tabulate").tabulate(
            self, headers="keys", tablefmt="pipe", showindex=index)
    def to_excel(self, path):
        raise ImportError("Missing optional dependency 'openpyxl'.  Use pip or con" "da to install openpyxl.")
`;

function packageOf(name: string, source: string, module = name): MirrorPackage {
	return {
		file: `${name}-1.0-py3-none-any.whl`,
		imports: [module],
		bytes: wheelOf({ [`${module}/__init__.py`]: source }),
	};
}

let built: BuiltPython;

beforeAll(async () => {
	built = await buildPython();
}, 120_000);

afterAll(() => built.remove());

async function open(colors?: FigureColors): Promise<PackageBench> {
	const mirror = await startMirror({
		pandas: packageOf("pandas", pandas),
		"python-calamine": packageOf("python-calamine", "", "python_calamine"),
		matplotlib: {
			file: "matplotlib-1.0-py3-none-any.whl",
			imports: ["matplotlib"],
			bytes: wheelOf(matplotlibFiles),
		},
		beautifulsoup4: packageOf("beautifulsoup4", "BeautifulSoup = print", "bs4"),
		lxml: packageOf("lxml", ""),
	});
	return await openBench({ ...built.options, figureColors: () => colors }, mirror);
}

test("workbooks of every kind are read with calamine, which comes with pandas, also where code names another engine", async () => {
	const { call } = await open();
	const code = "from pandas import read_excel\nread_excel('a.xlsx')";
	const { asked, result } = await call(code);
	expect(asked).toMatchObject([{ names: ["pandas", "python-calamine"] }]);
	expect(result).toContain("read with calamine");
	const kinds = ["xlsm", "xlsb", "xls", "ods"].map(kind => `pd.read_excel('a.${kind}')`);
	const all = [...kinds, "pd.read_excel('a.xlsx', engine='openpyxl')"].join(", ");
	const more = await call(`import pandas as pd\n{${all}}`);
	expect(more.result).toContain("{'read with calamine'}");
});

test("what a package needs only for one of its functions is asked for with it", async () => {
	const { call } = await open();
	const plot = await call("import pandas as pd\npd.DataFrame().plot()");
	expect(plot.asked).toMatchObject([{ names: ["pandas", "matplotlib"] }]);
	expect(plot.result).toContain("drawn");
	const parse = "from bs4 import BeautifulSoup\nBeautifulSoup('<p>', 'lxml')";
	expect((await call(parse)).asked).toMatchObject([{ names: ["beautifulsoup4", "lxml"] }]);
	expect((await call("'plot, hist, lxml'.title().style")).asked).toEqual([]);
});

test("a package that can't be had is told without advice, and with what is there in its place", async () => {
	const { call } = await open();
	const { result } = await call("import pandas\npandas.DataFrame().to_excel('a.xlsx')");
	expect(result).toMatch(
		/^ImportError: Missing optional dependency 'openpyxl'\.\nWorkbooks are read with pandas/,
	);
	expect(result).not.toContain("conda");
});

/** Returns what the pictures of an answer are, in order. */
function picturesIn(text: string): string[] {
	return [...text.matchAll(/!\[[^\]]*\]\(data:image\/png;base64,([^)]+)\)/g)].map(
		([, base64 = ""]) => Buffer.from(base64, "base64").subarray(8).toString(),
	);
}

const dark = { background: "#1f1f1f", foreground: "#cccccc" };

test("figures are pictures of twice their size in the theme's ground: those shown, those open at the end, and saved ones", async () => {
	const { call } = await open(dark);
	const plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n";
	const shown = await call(`${plot}plt.show(block=False)\nplt.plot([3])`);
	expect(picturesIn(shown.text)).toEqual(["1280x960 on 1f1f1f", "1280x960 on 1f1f1f"]);
	expect(shown.result).not.toContain("base64");
	const saved = await call(`${plot}plt.savefig("plot.png")\nplt.close()`);
	expect(saved.text).toContain("Wrote `plot.png`");
	expect(picturesIn(saved.text)).toEqual(["1280x960 on 1f1f1f"]);
	expect(picturesIn((await call(`${plot}plt.gcf().show()`)).text)).toHaveLength(1);
	expect(picturesIn((await call("1")).text)).toEqual([]);
	const colors = await call("import matplotlib\nmatplotlib.rcParams['axes.labelcolor']");
	expect(colors.result).toContain("'cccccc'");
});

test("figures of a program that chooses Agg, and without a theme, are pictures as well", async () => {
	const { call } = await open();
	const code = "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n";
	const { text } = await call(`${code}plt.plot([1])\nplt.show()`);
	expect(picturesIn(text)).toEqual(["1280x960 on white"]);
});

test("tables are printed as Markdown without the package that pandas needs for it", async () => {
	const { call } = await open();
	const frame = await call("import pandas\nprint(pandas.DataFrame().to_markdown(index=False))");
	expect(frame.result).toContain("| name | sum / of a\\|b |\n| --- | --- |\n| x | 1.5 |\n| y |  |");
	const rows = "[['a', 'b'], [1, 2]]";
	const tables = await call(
		`from tabulate import tabulate\nprint(tabulate(${rows}, headers='firstrow', tablefmt='grid'))\nprint(tabulate([{'c': 3}], headers='keys'))\nprint(tabulate([], headers=['d']))`,
	);
	expect(tables.asked).toEqual([]);
	expect(tables.result).toContain(
		"| a | b |\n| --- | --- |\n| 1 | 2 |\n| c |\n| --- |\n| 3 |\n| d |",
	);
});
