// @module-tag thorough
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type InterpreterFile,
	type PythonRun,
} from "../../../../src/localService/python/codeInterpreter.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";
import { makeTestFolder } from "../testService.ts";

let built: BuiltPython;
let shared: CodeInterpreter;
const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** One Python for all tests that leave it as they found it. */
let python: Interpreter;

const never = new AbortController().signal;
const run = (code: string, interpreter = python): Promise<PythonRun> =>
	interpreter.run(code, never);

/** What the last expression came to. */
async function resultOf(code: string, interpreter = python): Promise<string | null> {
	const outcome = await run(code, interpreter);
	if (outcome.status !== "done") {
		throw new Error(JSON.stringify(outcome));
	}
	const { result } = outcome;
	return result === null ? null : "table" in result ? result.table : result.text;
}

async function summaryOf(code: string, interpreter = python): Promise<string> {
	const outcome = await run(code, interpreter);
	return outcome.status === "error" ? outcome.summary : JSON.stringify(outcome);
}

async function tracebackOf(code: string): Promise<string> {
	const outcome = await run(code);
	return outcome.status === "error" ? outcome.traceback : JSON.stringify(outcome);
}

function interpreterOf(options: Partial<CodeInterpreterOptions>): CodeInterpreter {
	const interpreter = new CodeInterpreter({ ...built.options, ...options }, systemClock);
	onTestFinished(() => interpreter.stop());
	return interpreter;
}

async function heldFile(name: string, content: string | Uint8Array): Promise<InterpreterFile> {
	const path = join(await makeTestFolder(), "held");
	await writeFile(path, content);
	return { id: name, name, type: "text/plain", size: content.length, path };
}

beforeAll(async () => {
	built = await buildPython();
	shared = new CodeInterpreter(built.options, systemClock);
	python = shared.open("shared", []);
	await run("1");
}, 120_000);

afterAll(async () => {
	await shared.stop();
	await built.remove();
});

describe("a run", () => {
	test("shows what was written, and the last expression as Python does", async () => {
		expect(await run("print('naïve 🐍')\n2 ** 100")).toEqual({
			status: "done",
			output: "naïve 🐍\n",
			result: { text: "1267650600228229401496703205376" },
			files: { count: 0, shown: [] },
			figures: [],
			written: [],
			hasLostState: false,
		});
	});

	test("without a last expression, or with None, has no result", async () => {
		expect(await resultOf("x = 1")).toBeNull();
		expect(await resultOf("None")).toBeNull();
	});

	test("keeps its variables, functions and imports for the next one", async () => {
		await run("import statistics\ndef double(x): return 2 * x\ncount = 21");
		expect(await resultOf("double(count), statistics.mean([1, 2])")).toBe("(42, 1.5)");
	});

	test("that fails shows the traceback from its own first line on, with the source", async () => {
		expect(await tracebackOf("def f(x):\n    return 1 / x\nf(0)")).toMatch(
			/^Traceback \(most recent call last\):\n {2}File "<cell \d+>", line 3, in <module>\n {4}f\(0\)[\s\S]*return 1 \/ x[\s\S]*\nZeroDivisionError: division by zero$/,
		);
		expect(await tracebackOf("def f(:")).toContain("SyntaxError: invalid syntax");
	});

	test.each([
		["sys.exit()", "import sys\nsys.exit()", null],
		["sys.exit(3)", "import sys\nsys.exit(3)", "The code ended itself with 3."],
	])("that leaves with %s ends alone", async (_name, code, result) => {
		expect(await resultOf(code)).toBe(result);
		expect(await resultOf("1 + 1")).toBe("2");
	});

	test.each([
		["ends", "print('half', end='')", "done"],
		["fails", "print('half', end='')\n1 / 0", "error"],
		["leaves", "import sys\nsys.stdout.write('half')\nsys.exit()", "done"],
		["asks for input", "input('half')", "error"],
		["writes an error", "import sys\nsys.stderr.write('half')\nNone", "done"],
	])(
		"that %s in the middle of a line shows that line, and the next run does not",
		async (_name, code, status) => {
			expect(await run(code)).toMatchObject({ status, output: "half\n" });
			expect(await run("print('whole')")).toMatchObject({ output: "whole\n" });
		},
	);

	test("that writes without end shows the first 40 000 characters", async () => {
		const { output } = await run("for i in range(200_000): print('line', i)");
		expect(output.length).toBeLessThan(40_200);
		expect(output).toMatch(/^line 0\n[\s\S]*\n… the rest of the output is left out\n$/);
	});

	test("that writes without end and without a line break shows as much, and ends no process", async () => {
		const code =
			"import sys\nfor i in range(300): sys.stdout.write('é' * 1_000_000)\nprint()\nprint('last')";
		const { status, output } = await run(code);
		expect(status).toBe("done");
		expect(output).toBe(`${"é".repeat(40_000)}\n… the rest of the output is left out\n`);
		const broken = await run(
			"import os\nos.write(1, b'\\xc3')\nos.write(1, b'\\xa9\\0\\n\\n')\nprint('x')",
		);
		expect(broken.output).toBe("é\n\nx\n");
	});

	test("that replaces or closes its output leaves the next one a working one", async () => {
		await run("import sys, io\nsys.stdout = io.StringIO()\nsys.stderr = None");
		expect((await run("print('here')")).output).toBe("here\n");
	});

	test("leaves nothing that goes on after it: no timer, no task, no promise, no CPU time", async () => {
		const start = [
			"import asyncio",
			"from pyodide.ffi import create_proxy, to_js",
			"later = []",
			"loop = asyncio.get_event_loop()",
			"loop.call_later(0.01, later.append, 'timer')",
			"async def task(): later.append('task')",
			"running = loop.create_task(task())",
			"promised = create_proxy(lambda *_: later.append('promise'))",
			"_ = to_js([]).constructor.fromAsync(to_js([1]), promised)",
		].join("\n");
		expect(await run(start)).toMatchObject({ status: "done" });
		await new Promise<void>(resolve => void systemClock.setTimer(400, resolve));
		// However busy the machine is, a thread that goes on gets about as much of it as this one.
		const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
		while (msOf(process.threadCpuUsage(own)) < 400);
		const others = msOf(process.cpuUsage(all)) - msOf(process.threadCpuUsage(own));
		expect(others).toBeLessThan(100);
		expect(await resultOf("later")).toBe("[]");
	});

	test("that fails has a summary with the exception and what is different here", async () => {
		expect(await summaryOf("open('/mnt/data/missing.csv')")).toMatch(
			/^FileNotFoundError: .*missing\.csv'\nThere are no files in the working folder\.$/,
		);
		expect(await summaryOf("import no_such_module")).toBe(
			"ModuleNotFoundError: No module named 'no_such_module'\nNothing else can be installed here; go on with what is there.",
		);
		expect(await summaryOf("import threading\nthreading.Thread(target=print).start()")).toContain(
			"There are no threads here",
		);
		expect(await summaryOf("import subprocess\nsubprocess.run(['ls'])")).toContain(
			"There are no processes here.",
		);
		const network = "import urllib.request\nurllib.request.urlopen('https://example.com')";
		expect(await summaryOf(network)).toContain("There is no network here.");
		const loop = "import asyncio\nasync def f(): pass\nasyncio.run(f())";
		expect(await summaryOf(loop)).toContain("There is no asyncio here");
	});

	test("whose exception gives advice for other places shows none of it", async () => {
		const code = "raise ImportError('pandas requires Jinja2.\\nRun pip install jinja2 first.')";
		expect(await summaryOf(code)).toBe(
			"ImportError: pandas requires Jinja2.\nNothing else can be installed here; go on with what is there.",
		);
		const lines = await tracebackOf("import zoneinfo\nzoneinfo.ZoneInfo('Europe/Nowhere')");
		expect(lines).toMatch(/\n.*ZoneInfoNotFoundError: .*Europe\/Nowhere/);
		expect(lines.split("\n").length).toBeLessThan(12);
	});

	test("with commands of a notebook, or a line break escaped twice, runs", async () => {
		expect(await resultOf("%matplotlib inline\n!pip install pandas\n1 + 1")).toBe("2");
		expect((await run('print(1)\\nprint("a")')).output).toBe("1\na\n");
		expect(await resultOf("'a\\\\nb'")).toBe("'a\\\\nb'");
		expect(await tracebackOf("!ls")).toContain("SyntaxError");
	});

	test("knows the time zones", async () => {
		const code = [
			"from datetime import datetime",
			"from zoneinfo import ZoneInfo, available_timezones",
			"noon = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo('Europe/Berlin'))",
			"winter = datetime(1980, 1, 1, tzinfo=ZoneInfo('America/New_York'))",
			"str(noon), noon.tzname(), str(noon.dst()), str(winter), ZoneInfo('UTC').key, len(available_timezones()) > 400",
		].join("\n");
		expect(await resultOf(code)).toBe(
			"('2026-07-01 12:00:00+02:00', 'CEST', '1:00:00', '1980-01-01 00:00:00-05:00', 'UTC', True)",
		);
	});

	test("may print from a replaced built-in or an odd repr without breaking anything", async () => {
		expect(
			await tracebackOf("class Odd:\n    def __repr__(self): raise ValueError('no')\nOdd()"),
		).toContain("ValueError: no");
	});
});

describe("a table", () => {
	test.each([
		[
			"a list of dicts",
			"[{'a': 1, 'b': 'x'}, {'a': 2.5, 'c': None}]",
			"| a | b | c |\n| --: | :-- | --: |\n| 1 | x |  |\n| 2.5 |  |  |",
		],
		["a list of rows", "[(1, 'x'), (2, 'y')]", "| 0 | 1 |\n| --: | :-- |\n| 1 | x |\n| 2 | y |"],
		[
			"a dict of values",
			"{'rows': 3, 'ok': True}",
			"| key | value |\n| :-- | --: |\n| rows | 3 |\n| ok | True |",
		],
		[
			"a dict of columns",
			"{'n': [1, 2], 'm': [3, 4]}",
			"| n | m |\n| --: | --: |\n| 1 | 3 |\n| 2 | 4 |",
		],
	])("is made of %s", async (_name, code, table) => {
		expect(await resultOf(code)).toBe(table);
	});

	test("has nothing active in its cells, which stay on one line", async () => {
		expect(await resultOf("[{'x|y': '![a](http://b)\\n<i>`'}]")).toBe(
			"| x\\|y |\n| :-- |\n| \\!\\[a\\](http://b) \\<i\\>\\` |",
		);
	});

	test("shows 50 rows and 16 columns, and says how many more there are", async () => {
		const table = await resultOf("[{f'c{c}': r for c in range(20)} for r in range(80)]");
		expect(table?.split("\n").filter(line => line.startsWith("|"))).toHaveLength(52);
		expect(table).toMatch(/\n\nand 30 more rows and 4 more columns$/);
	});
});

describe("a frame of pandas", () => {
	test("or a series is a table with its index, of which the first 50 rows are shown", async () => {
		const frame = [
			"class Index(list): name = None",
			"class DataFrame:",
			"    def __init__(self, count): self.rows = [(n, n / 2) for n in range(count)]",
			"    columns = ['n', ('half', 'of n')]",
			"    index = property(lambda self: Index(range(len(self.rows))))",
			"    def head(self, count):",
			"        head = DataFrame(0)",
			"        head.rows = self.rows[:count]",
			"        return head",
			"    def itertuples(self, index, name): return iter(self.rows)",
			"    def __len__(self): return len(self.rows)",
			"DataFrame.__module__ = 'pandas'",
		].join("\n");
		expect(await resultOf(`${frame}\nDataFrame(2)`)).toBe(
			"|  | n | half / of n |\n| --: | --: | --: |\n| 0 | 0 | 0 |\n| 1 | 1 | 0.5 |",
		);
		expect(await resultOf("DataFrame(120)")).toMatch(/\n\nand 70 more rows$/);
	});
});

describe("figures of Matplotlib", () => {
	/** What the backend uses of Matplotlib. */
	const fakeMatplotlib = [
		"import sys, types",
		"def module(name, **members):",
		"    made = types.ModuleType(name)",
		"    made.__dict__.update(members)",
		"    sys.modules[name] = made",
		"class Gcf:",
		"    managers = []",
		"    get_all_fig_managers = classmethod(lambda cls: cls.managers[:])",
		"    destroy = classmethod(lambda cls, manager: cls.managers.remove(manager))",
		"class Base: pass",
		"module('matplotlib')",
		"module('matplotlib._pylab_helpers', Gcf=Gcf)",
		"module('matplotlib.backend_bases', FigureManagerBase=Base)",
		"module('matplotlib.backends')",
		"module('matplotlib.backends.backend_agg', FigureCanvasAgg=Base)",
		"import cutaway_figures",
		"class Figure:",
		"    axes, texts, images, subfigs, dpi = [1], [], [], [], 100",
		"    def __init__(self, size): self.size = size",
		"    def savefig(self, file, format, dpi, bbox_inches): file.write(b'x' * int(self.size * dpi))",
		"def draw(size, **changed):",
		"    manager = cutaway_figures.FigureManager()",
		"    manager.canvas = types.SimpleNamespace(figure=Figure(size))",
		"    manager.canvas.figure.__dict__.update(changed)",
		"    Gcf.managers.append(manager)",
	].join("\n");

	const sizesOf = async (code: string): Promise<number[]> => {
		const outcome = await run(code);
		return "figures" in outcome
			? outcome.figures.map(base64 => Buffer.from(base64, "base64").length)
			: [];
	};

	test("that are shown, or open at the end, become pictures at twice their size", async () => {
		await run(fakeMatplotlib);
		const shown = "draw(1)\ncutaway_figures.FigureManager.pyplot_show()";
		expect(await sizesOf(`${shown}\nassert Gcf.managers == []\ndraw(2)`)).toEqual([200, 400]);
		expect(await sizesOf("1")).toEqual([]);
		expect(await sizesOf("draw(1)\n1 / 0")).toEqual([200]);
	});

	test("that are empty are left out, and one whose file is too large is drawn smaller", async () => {
		expect(await sizesOf("draw(1, axes=[])\ndraw(2000)")).toEqual([200_000]);
	});
});

describe("files", () => {
	test("are mounted under their names, made safe and told apart", async () => {
		const interpreter = shared.open("shared", [
			await heldFile("data.csv", "a,b\n1,2\n"),
			{ ...(await heldFile("DATA.csv", "other")), id: "second" },
			{ ...(await heldFile("../../etc/passwd", "third")), id: "third" },
			{ ...(await heldFile('q"\r\n.txt', "fourth")), id: "fourth" },
		]);
		expect(interpreter.files.map(file => file.mountedAs)).toEqual([
			"data.csv",
			"DATA (2).csv",
			"__.._etc_passwd",
			"q___.txt",
		]);
		expect(
			await resultOf(
				"import os\n'\\n'.join(f'{n}:{open(n).read()!r}' for n in sorted(os.listdir()))",
				interpreter,
			),
		).toContain("DATA (2).csv:'other'");
	});

	test("of Excel are read without their byte order mark, in /mnt/data too", async () => {
		const interpreter = shared.open("excel", [
			await heldFile("Excel export.csv", Buffer.from("\u{FEFF}Name,Amount\r\nA,1\r\nB,2\r\n")),
		]);
		const sum = "import csv\n[row['Name'] for row in csv.DictReader(open('Excel export.csv'))]";
		expect(await resultOf(sum, interpreter)).toBe("['A', 'B']");
		expect(await resultOf("open('/mnt/data/Excel export.csv').read(4)", interpreter)).toBe(
			"'Name'",
		);
		expect(await summaryOf("open('/mnt/data/excel.csv')", interpreter)).toContain(
			"Files in the working folder: 'Excel export.csv'",
		);
	});

	test("that code writes are copied for saving, the first 20 of at most 50 MB", async () => {
		const { written = [], files } = (await run(
			[
				"import os",
				"os.mkdir('out')",
				"open('out/report.bin', 'wb').write(b'\\x00\\x01')",
				"open('huge.bin', 'wb').truncate(51 * 1024 * 1024)",
				"for n in range(30): _ = open(f'zz{n:02}.txt', 'w').write(str(n))",
			].join("\n"),
		)) as Extract<PythonRun, { status: "done" }>;
		expect(files.count).toBe(32);
		expect(files.shown).toHaveLength(20);
		expect(written).toHaveLength(19);
		expect(written[0]).toEqual({ name: "out/report.bin", bytes: Uint8Array.of(0, 1) });
		expect(written.at(-1)?.name).toBe("zz17.txt");
		await run("import os, shutil\nshutil.rmtree('out')\nos.remove('huge.bin')");
	});

	test("that are SVG are pictures, whatever their first lines", async () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
		const code = [
			`open('a.svg', 'w').write('${svg}')`,
			`open('b.txt', 'w').write('<?xml version="1.0"?>\\n<!-- x -->\\n${svg}')`,
			"open('c.html', 'w').write('<p><svg></svg></p>')",
		].join("\n");
		const { files } = (await run(code)) as Extract<PythonRun, { status: "done" }>;
		expect(files.shown.map(({ name, type }) => [name, type])).toEqual([
			["a.svg", "image/svg+xml"],
			["b.txt", "image/svg+xml"],
			["c.html", undefined],
		]);
	});

	test("that code writes are shown where they are small texts or images, by size where not", async () => {
		const { files } = (await run(
			[
				"import struct, zlib",
				"def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))",
				"png = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b'\\0\\xff\\x80\\0')) + chunk(b'IEND', b'')",
				"open('dot.png', 'wb').write(png)",
				"open('note.md', 'w').write('# hé')",
				"open('big.txt', 'w').write('x' * 100_000)",
				"open('raw.bin', 'wb').write(bytes(range(256)))",
			].join("\n"),
		)) as Extract<PythonRun, { status: "done" }>;
		expect(files.shown.map(({ base64, ...file }) => [file, base64?.slice(0, 8)])).toEqual([
			[{ name: "big.txt", size: 100_000 }, undefined],
			[{ name: "dot.png", size: 69, type: "image/png" }, "iVBORw0K"],
			[{ name: "note.md", size: 5, text: "# hé" }, undefined],
			[{ name: "raw.bin", size: 256 }, undefined],
		]);
		expect((await run("open('note.md').read()")) as unknown).toMatchObject({ files: { count: 0 } });
	});
});

describe("hostile code", () => {
	test.each([
		["import js", "import js", "ModuleNotFoundError"],
		["import pyodide_js", "import pyodide_js", "ModuleNotFoundError"],
		["run_js", "from pyodide.code import run_js\nrun_js('1')", "ModuleNotFoundError"],
		[
			"the Function constructor behind a proxy",
			"from pyodide.ffi import to_js\nto_js([]).constructor.constructor('return process')()",
			"EvalError: Code generation from strings disallowed",
		],
		["micropip", "import micropip", "ModuleNotFoundError"],
		[
			"pyodide's loader",
			"import pyodide_js\npyodide_js.loadPackage('numpy')",
			"ModuleNotFoundError",
		],
		["pyodide.http", "from pyodide.http import open_url\nopen_url('http://127.0.0.1:1')", "Error"],
		["a socket", "import socket\nsocket.create_connection(('127.0.0.1', 80), 2)", "OSError"],
		["urllib", "import urllib.request\nurllib.request.urlopen('http://example.com')", "URLError"],
		["a subprocess", "import subprocess\nsubprocess.run(['ls'])", "OSError"],
		["fork", "import os\nos.fork()", "Error"],
		["a thread", "import threading\nthreading.Thread(target=print).start()", "RuntimeError"],
		[
			"a file of this machine",
			`open(${JSON.stringify(import.meta.filename)})`,
			"FileNotFoundError",
		],
		["the passwords", "open('/etc/passwd')", "FileNotFoundError"],
		["this process", "open('/proc/self/environ').read()", "FileNotFoundError"],
		["endless recursion", "def f(n): return f(n + 1)\nf(0)", "RecursionError"],
		["a list of 8 GB", "x = [0] * 10**9", "MemoryError"],
	])("%s gets nowhere, and the next run works", async (_name, code, error) => {
		expect(await tracebackOf(code)).toContain(error);
		expect(await resultOf("6 * 7")).toBe("42");
	});

	test("reads no variable of this process's environment", async () => {
		process.env["CUTAWAY_TEST_SECRET"] = "secret";
		onTestFinished(() => void delete process.env["CUTAWAY_TEST_SECRET"]);
		expect(await resultOf("import os\n'CUTAWAY_TEST_SECRET' in os.environ")).toBe("False");
	});

	test("reaches objects of JavaScript at most, none of which can leave the sandbox", async () => {
		const code = [
			"from pyodide.ffi import to_js",
			"names = ['process', 'require', 'fetch', 'Worker', 'WebSocket', 'XMLHttpRequest', 'Buffer', 'eval']",
			"seen, found = [to_js([]), to_js({}), to_js(b'x'), to_js(lambda: 1)], []",
			"for thing in seen[:]:",
			"    for step in ['constructor', '__proto__', 'prototype', 'buffer']:",
			"        for name in names:",
			"            try:",
			"                if getattr(getattr(thing, step), name) is not None: found.append(name)",
			"            except Exception: pass",
			"found",
		].join("\n");
		expect(await resultOf(code)).toBe("[]");
	});

	test("bombs of memory and crashes are contained, and the next run works", async () => {
		const limited = interpreterOf({
			// On a crowded machine memory fills slowly, and its limit is what ends these runs.
			cellTimeoutMs: 120_000,
			maxMemoryBytes: 128 * 1024 * 1024,
			maxGrowthBytes: 900 * 1024 * 1024,
		}).open("bomb", []);
		const isAfresh = { status: "done", result: { text: "False" }, hasLostState: true };
		expect(
			await run("x = [bytearray(10**7) for _ in range(100)]", limited),
			"Python's own memory",
		).toMatchObject({ status: "error", traceback: expect.stringMatching(/\nMemoryError$/) });
		expect(
			await run("for i in range(100): open(f'/tmp/{i}', 'wb').write(bytes(10**7))", limited),
			"files in memory",
		).toMatchObject({ status: "error", traceback: expect.stringContaining("No space left") });
		expect(
			await run(
				"import glob, os\nfor f in glob.glob('/tmp/*'): os.remove(f)\nopen('/tmp/x', 'wb').truncate(10**9)",
				limited,
			),
			"one long empty file",
		).toMatchObject({ status: "error", traceback: expect.stringContaining("No space left") });
		expect(
			// In pieces: Python's own memory has room for one as long as the file only while it isn't fragmented.
			await run(
				"with open('/tmp/x', 'wb') as file:\n\tfor i in range(10): file.write(bytes(10**7))",
				limited,
			),
			"room that was given back",
		).toMatchObject({ status: "done" });
		const bomb =
			"from pyodide.ffi import to_js\nb = to_js(bytes(10**7)).buffer\nkept = []\nwhile True: kept.append(b.slice(0))";
		expect(await run(bomb, limited), "JavaScript's buffers").toMatchObject({
			status: "broken",
			reason: "it took too much memory",
		});
		expect(await run("'kept' in globals()", limited)).toMatchObject(isAfresh);
		const list =
			"from pyodide.ffi import to_js\nmore = to_js(list(range(10**6)))\nkept = more\nwhile True: kept = kept.concat(more)";
		expect(await run(list, limited), "JavaScript's arrays").toMatchObject({
			status: "broken",
			reason: "it took too much memory",
		});
		expect(
			await run("import _pyodide_core\n_pyodide_core.trigger_fatal_error()", limited),
			"a fatal error",
		).toMatchObject({ status: "broken" });
	}, 240_000);

	test("what a run leaves in memory counts, also in JavaScript's, and too much of it ends the idle Python", async () => {
		const limited = interpreterOf({ maxHeldBytes: 400 * 1024 * 1024 });
		const idle = limited.open("hold", []);
		const kept =
			"from pyodide.ffi import to_js\nb = to_js(bytes(10**7)).buffer\nkept = [b.slice(0) for _ in range(10)]";
		expect(await run(kept, idle)).toMatchObject({ status: "done" });
		expect(await resultOf("len(kept)", idle)).toBe("10");
		const more = "kept += [b.slice(0) for _ in range(50)]\nlen(kept)";
		expect(await resultOf(more, idle)).toBe("60");
		expect(await run("'kept' in globals()", idle)).toMatchObject({
			result: { text: "False" },
			hasLostState: true,
		});
	}, 120_000);

	test("a report of 100 MB and a result of 1 MB are refused, and the next run works", async () => {
		const subverted = shared.open("subvert", []);
		for (const [report, reason] of [
			[`'x' * 10**8`, "its report is too long"],
			[
				`'{"status": "done", "result": {"text": "' + 'x' * 10**6 + '"}, "files": {"count": 0, "shown": []}}'`,
				"its report makes no sense",
			],
		] as const) {
			const code = `import json\njson.dumps = lambda outcome: ${report}`;
			expect(await run(code, subverted)).toMatchObject({ status: "broken", reason });
			expect(await resultOf("6 * 7", subverted)).toBe("42");
		}
	}, 120_000);

	test("a loop without end is ended in time, and what it wrote is kept", async () => {
		const quick = interpreterOf({ cellTimeoutMs: 1_000 }).open("loop", []);
		expect(await run("print('x' * 5000)\nwhile True: pass", quick)).toMatchObject({
			status: "timeout",
			seconds: 1,
			output: `${"x".repeat(5000)}\n`,
		});
	}, 60_000);
});
