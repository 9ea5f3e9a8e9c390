// @module-tag thorough
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { CodeInterpreter } from "../../../../src/localService/python/codeInterpreter.ts";
import { type BuiltPython, buildPython } from "../../../helpers/pythonFiles.ts";
import { writeWorker } from "../fixtures.ts";
import { makeTestFolder } from "../testService.ts";

/** Walls of the sandbox as a thread's code takes them away, so that the others are tried alone. */
const holes = {
	/** Text becomes code from any function of the outside. */
	noSeal: `
		const { defineProperty } = Object;
		Object.defineProperty = (target, name, descriptor) =>
			name === "constructor" && descriptor.value === undefined
				? target
				: defineProperty(target, name, descriptor);
	`,
	/** Functions of the outside are where Python can reach them. */
	outsideInside: `
		import vm from "node:vm";
		const { runInContext } = vm.Script.prototype;
		vm.Script.prototype.runInContext = function (context, ...rest) {
			const result = runInContext.call(this, context, ...rest);
			context.Array.outside = [
				() => 0, async () => 0, function* () {}, async function* () {},
			];
			return result;
		};
	`,
} as const;

/** Gets hold of an error as the outside throws it, and of the functions that a hole has let in. */
const reach = `
from pyodide.ffi import create_proxy, to_js
def refused():
    try:
        to_js(b"x").to_string("no such encoding")
    except Exception as error:
        return error
reached = [refused(), *(getattr(to_js([]).constructor, "outside", []))]
`;

/** Tries to make \`process\` of what has been reached, and tells what it gives away. */
const leave = `${reach}
deed = """box.push(
    process.pid, process.cwd(), process.env.CUTAWAY_TEST_SECRET,
    process.getBuiltinModule("fs").readFileSync(${JSON.stringify(import.meta.filename)}, "utf8").length,
)"""
box = to_js([])
for thing in reached:
    for climb in (lambda: thing.constructor, lambda: thing.constructor.constructor):
        for go in (lambda made: made, lambda made: next(made), lambda made: made.asend(None)):
            try:
                go(climb()("box", deed)(box))
            except Exception as error:
                pass
box.to_py()
`;

let built: BuiltPython;

beforeAll(async () => {
	built = await buildPython();
	process.env["CUTAWAY_TEST_SECRET"] = "very secret";
}, 120_000);

afterAll(async () => {
	delete process.env["CUTAWAY_TEST_SECRET"];
	await built.remove();
});

/** What the last expression of code comes to in a thread with holes. */
async function tell(code: string, ...without: readonly string[]): Promise<string> {
	const source = `${without.join("\n")}\nawait import(${JSON.stringify(String(built.options.workerFile))});`;
	const workerFile = pathToFileURL(await writeWorker(await makeTestFolder(), source));
	const interpreter = new CodeInterpreter(
		{ ...built.options, workerFile, cellTimeoutMs: 60_000 },
		systemClock,
	);
	onTestFinished(() => interpreter.stop());
	const python = interpreter.open("leave", []);
	return JSON.stringify(await python.run(code, new AbortController().signal));
}

describe("code that tries to leave the sandbox", () => {
	test("with two walls gone is out, and still finds no environment", async () => {
		const told = await tell(leave, holes.noSeal, holes.outsideInside);
		expect(told).toContain(String(process.pid));
		expect(told.split(process.cwd()).length).toBeGreaterThanOrEqual(5);
		expect(told).not.toContain("very secret");
	}, 120_000);

	test.each([
		["no function of the outside makes code of a text", holes.outsideInside],
		["no error of the outside gets in", holes.noSeal],
	])(
		"stays inside, as %s",
		async (_name, hole) => {
			expect(await tell(leave, hole)).toContain('"result":{"text":"[]"}');
		},
		60_000,
	);

	test("learns no path of this machine from the stack of an error", async () => {
		const told = await tell(`${reach}
Error, paths = reached[0].constructor, []
def note(error, trace):
    paths.extend(str(site.getFileName()) for site in trace)
    return ""
try:
    Error.stackTraceLimit = 200
except Exception:
    pass
paths.append(refused().stack)
Error.prepareStackTrace = create_proxy(note)
refused().stack
paths`);
		expect(told).toContain('"status":"done"');
		expect(told).not.toMatch(/worker|node:/);
	}, 120_000);
});
