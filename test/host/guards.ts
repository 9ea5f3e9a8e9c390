/**
 * A program: takes the guards between a model and an effect away one at a time, in a copy of the project, and runs their
 * tests. Every guard must be missed: a run that stays green without one fails. `npm run test:guards`.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot, say } from "./project.ts";
import { runScript } from "./script.ts";

interface Guard {
	readonly name: string;
	/** Below `src/`. */
	readonly file: string;
	readonly find: string;
	readonly replace: string;
	/** The test files, below `test/unit/`, of which one must fail. */
	readonly tests: readonly string[];
}

const paths = ["tools/resolveTarget"];
const gate = ["tools/toolGate"];
const hostile = ["tools/hostileModel"];
const loop = ["chat/toolLoop"];
const fuzz = ["tools/toolArguments"];
const journal = ["tools/changeJournal"];

const guards: readonly Guard[] = [
	...(
		[
			["empty path", 'path.trim() === ""'],
			["long path", "path.length > maxPathLength"],
			["device path", "devicePath.test(path)"],
			["network path", "networkPath.test(path)"],
			["home folder", "/^~(?:[\\\\/]|$)/.test(path)"],
			["backslash", '!isWindows && path.includes("\\\\")'],
			["long name", "names.some(name => name.length > maxNameLength)"],
			["alternate stream", 'names.some(name => name.includes(":"))'],
			["invalid character", 'names.some(name => /[<>"|?*]/.test(name))'],
			["reserved name", "names.some(name => reservedName.test(name))"],
		] as const
	).map(([name, find]) => ({
		name,
		file: "common/pathForm.ts",
		find,
		replace: "false",
		tests: paths,
	})),
	...(
		[
			["leaving by ..", "if (done.length === 0)", "if (false)"],
			["a file taken for a folder", "if (!stats.isDirectory())", "if (false)"],
			["dangling link", "waiting.length >= this.linkFloor\n\t\t\t\t\t?", "false\n\t\t\t\t\t?"],
			["link loop", "this.links > maxLinks", "this.links > 5000"],
			["absolute link outside", "if (isAbsolute && !start)", "if (false)"],
			[".. below what is missing", 'rest.includes("..")', "false"],
			["ordinary files alone", "stats.isFile() ?", "true ?"],
			["absolute path outside", '?? "outside"', "?? { place: places[0]!, names: [] }"],
			["the worse of both names", "const both = [asked, inside]", "const both = [asked]"],
			["other names of a file", "stats.nlink > 1n", "false"],
			["identity", "before.identity === after.identity", "true"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "tools/resolveTarget.ts",
		find,
		replace,
		tests: [...paths, ...hostile],
	})),
	...(
		[
			["never twice", "if (claimed.has(call.callId))", "if (false)", gate],
			[
				"look again before it runs",
				"if (!areUnchanged(passage, targets))",
				"if (false)",
				[...loop, ...gate],
			],
			[
				"trust asked again",
				"const off = passage.policy.offReason();",
				"const off = undefined;",
				gate,
			],
			["a minute at most", "clock.setTimer(maxRunMs", "clock.setTimer(maxRunMs * 100", gate],
			["writers ask", ': tool.effect !== "question"', ": false", gate],
			[
				"sensitive reads ask",
				"request.warnings.length > 0 || policy.asksForReads()",
				"policy.asksForReads()",
				hostile,
			],
			["reads ask when told", "|| policy.asksForReads()", "", gate],
			[
				"record before run",
				'if (tool.effect === "write" || tool.effect === "paid")',
				"if (false)",
				gate,
			],
			["failures of secrets", "targets.some(target => target.readReason)", "false", hostile],
			[
				"class alone of a failure",
				"the tool failed (${kind})",
				"the tool failed (${String(error)})",
				gate,
			],
		] as const
	).map(([name, find, replace, tests]) => ({
		name,
		file: "tools/toolGate.ts",
		find,
		replace,
		tests,
	})),
	{
		name: "fingerprint of an answer",
		file: "tools/approvals.ts",
		find: "answer.fingerprint !== request.fingerprint",
		replace: "false",
		tests: gate,
	},
	{
		name: "half a second",
		file: "tools/approvals.ts",
		find: "clock.monotonic() - shownAt >= armMs",
		replace: "true",
		tests: gate,
	},
	{
		name: "one at a time",
		file: "tools/approvals.ts",
		find: "tail.then(turn, turn)",
		replace: "turn()",
		tests: gate,
	},
	{
		name: "remembered for a file",
		file: "tools/approvals.ts",
		find: "remembered.has(keyOf(chatId, tool, path))",
		replace: "remembered.size > 0",
		tests: gate,
	},
	{
		name: "not remembered when sensitive",
		file: "tools/approvalRequest.ts",
		find: "isPlainEdit && warnings.length === 0",
		replace: "isPlainEdit",
		tests: gate,
	},
	{
		name: "identity in the fingerprint",
		file: "tools/approvalRequest.ts",
		find: "[path, kind, identity]",
		replace: "[path, kind]",
		tests: gate,
	},
	{
		name: "both sides in the fingerprint",
		file: "tools/approvalRequest.ts",
		find: "plan.binding ?? []",
		replace: "[]",
		tests: gate,
	},
	{
		name: "tools off",
		file: "tools/acceptCall.ts",
		find: "if (off !== undefined)",
		replace: "if (false)",
		tests: gate,
	},
	{
		name: "one tool off",
		file: "tools/acceptCall.ts",
		find: "if (policy.isOff(tool.name))",
		replace: "if (false)",
		tests: gate,
	},
	{
		name: "depth of arguments",
		file: "tools/toolArguments.ts",
		find: "open.length > maxArgumentsDepth",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "length of arguments",
		file: "tools/toolArguments.ts",
		find: "text.length > maxArgumentsLength",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "names of JavaScript",
		file: "tools/toolArguments.ts",
		find: "forbiddenNames.has(name)",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "a name twice",
		file: "tools/toolArguments.ts",
		find: "names?.has(name)",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "overlapping edits",
		file: "tools/edits.ts",
		find: "hunk.start < (hunks[index - 1]?.end ?? 0)",
		replace: "false",
		tests: ["tools/edits"],
	},
	{
		name: "an edit placed twice",
		file: "tools/edits.ts",
		find: "text.includes(find, at + 1)",
		replace: "false",
		tests: ["tools/edits"],
	},
	{
		name: "new addresses",
		file: "tools/edits.ts",
		find: "added.length > 0",
		replace: "false",
		tests: hostile,
	},
	{
		name: "hidden characters",
		file: "tools/edits.ts",
		find: "hidden > 0",
		replace: "false",
		tests: hostile,
	},
	{
		name: "whole names of a folder",
		file: "common/pathForm.ts",
		find: "above.every((name, index) => isSame(name, names[index]))",
		replace: "path.startsWith(folder)",
		tests: paths,
	},
	{
		name: "case of sensitive names",
		file: "common/sensitivePaths.ts",
		find: "\t\t.toUpperCase()\n\t\t.toLowerCase()\n",
		replace: "",
		tests: hostile,
	},
	{
		name: "Unicode of sensitive names",
		file: "common/sensitivePaths.ts",
		find: '\t\t.normalize("NFKC")\n\t\t.replaceAll',
		replace: "\t\t.replaceAll",
		tests: ["common/sensitivePaths"],
	},
	{
		name: "closed messages alone",
		file: "chat/requestedCalls.ts",
		find: "!event.isClosed || event.unreadableFrames > 0",
		replace: "false",
		tests: [...loop, "chat/requestedCalls"],
	},
	{
		name: "whole answers alone",
		file: "chat/toolLoop.ts",
		find: "isOver && collector.isWhole()",
		replace: "true",
		tests: [...loop, "chat/requestedCalls"],
	},
	{
		name: "conflicting ids",
		file: "chat/requestedCalls.ts",
		find: "if (isConflict)",
		replace: "if (false)",
		tests: loop,
	},
	{
		name: "answered ids",
		file: "chat/requestedCalls.ts",
		find: "before || !isFirst",
		replace: "!isFirst",
		tests: loop,
	},
	{
		name: "three bad calls",
		file: "chat/toolLoop.ts",
		find: "this.badInRow >= maxBadCalls",
		replace: "false",
		tests: loop,
	},
	{
		name: "read-only before it is asked",
		file: "tools/toolGate.ts",
		find: 'if (passage.tool.effect === "write") {',
		replace: "if (false) {",
		tests: gate,
	},
	...(
		[
			["state before on disk", "await journal.begin(call, changes);", "", "settleChange"],
			[
				"no run without a record",
				"throw new ToolFailure(",
				"void new ToolFailure(",
				"settleChange",
			],
			[
				"end of a change",
				"journal.made(call, await textsOf(context, changes))",
				"undefined",
				"settleChange",
			],
			[
				"change that was not made",
				"() => journal.dropped(call)",
				"async () => undefined",
				"settleChange",
			],
			["bound of what is kept", "Buffer.byteLength(text) <= maxKeptBytes", "true", "changeJournal"],
			["bound of a kept file", "bytes.length <= maxKeptBytes", "true", "changeJournal"],
			["text as it was saved", "texts.get(file.path)", "undefined", "changeJournal"],
			["undo of what moved on", "isSameText(text, file.after)", "true", "takeBack"],
			["undo of a file that was changed", "isSameText(found.text, file.after)", "true", "takeBack"],
			[
				"undo over what stands there",
				'return to?.kind === "missing"',
				'return to?.kind !== "folder"',
				"takeBack",
			],
			[
				"undo of a deletion over a file",
				'return target?.kind === "missing"',
				'return target?.kind !== "folder"',
				"takeBack",
			],
		] as const
	).map(([name, find, replace, file]) => ({
		name,
		file: `tools/${file}.ts`,
		find,
		replace,
		tests: journal,
	})),
	...(
		[
			["Cancel of one call", "if (isMeant(callId))", "if (true)"],
			[
				"Stop of a call that was not cancelled",
				"signal.aborted || !own.signal.aborted",
				"signal.aborted",
			],
			["Stop wins over Cancel", "signal.aborted || !own.signal.aborted", "!own.signal.aborted"],
			["no call is cancelled that is over", "running.delete(call.callId);", ""],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "tools/cancellableCalls.ts",
		find,
		replace,
		tests: ["tools/cancellableCalls"],
	})),
	{
		name: "going on without running again",
		file: "chat/toolLoop.ts",
		find: "this.answered.set(call.id, call);\n\t\t\tthis.contents.set(call.id, content);",
		replace: "void content;",
		tests: ["chat/continuation"],
	},
	{
		name: "a started call stays in the turn",
		file: "chat/continuation.ts",
		find: "callsOf(raw, index).some(({ id }) => started.has(id))",
		replace: "false",
		tests: ["chat/continuation"],
	},
	{
		name: "results stay in the turn",
		file: "chat/continuation.ts",
		find: "isAnswer(raw) || ",
		replace: "",
		tests: ["chat/continuation"],
	},
	{
		name: "calls of an earlier attempt",
		file: "chat/toolRecord.ts",
		find: "attempt !== turn.attempt",
		replace: "false",
		tests: ["ui/toolCards", "chat/continuation"],
	},
	{
		name: "«Try again» goes on",
		file: "ui/chatQuestions.ts",
		find: 'continuationOf(turn) ? "resume" : "retry"',
		replace: '"retry"',
		tests: ["ui/chatQuestions"],
	},
	{
		name: "25 rounds",
		file: "chat/toolLoop.ts",
		find: "round >= this.roundsAllowed",
		replace: "false",
		tests: loop,
	},
	{
		name: "secrets in results are masked",
		file: "tools/toolGate.ts",
		find: "isMasked ? maskSecrets(content) : content",
		replace: "content",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "excluded files are not told of",
		file: "tools/toolGate.ts",
		find: "policy.isExcluded(target);\n\t\t\treturn isAskedAbout",
		replace: "false;\n\t\t\treturn isAskedAbout",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "both names of a renamed file",
		file: "tools/codeTools.ts",
		find: "paths.every(path =>",
		replace: "paths.some(path =>",
		tests: ["tools/gitDiff"],
	},
];

/** A copy of what the unit tests need; the installed packages are linked. */
async function copyProject(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), "cutaway-guards-"));
	for (const name of ["src", "test", "media", "package.json", "tsconfig.json"]) {
		await cp(join(projectRoot, name), join(copy, name), { recursive: true });
	}
	await symlink(join(projectRoot, "node_modules"), join(copy, "node_modules"));
	return copy;
}

/** Whether a test fails without the guard. */
async function isMissed(copy: string, guard: Guard): Promise<boolean> {
	const file = join(copy, "src", guard.file);
	const text = await readFile(file, "utf8");
	if (text.split(guard.find).length !== 2) {
		throw new Error(`The guard «${guard.name}» does not stand exactly once in ${guard.file}.`);
	}
	await writeFile(
		file,
		text.replace(guard.find, () => guard.replace),
	);
	try {
		return !(await doPass(copy, guard.tests));
	} finally {
		await writeFile(file, text);
	}
}

/** Runs test files in the copy; whether all of them pass. */
async function doPass(copy: string, names: readonly string[]): Promise<boolean> {
	const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
	const tests = names.map(name => `test/unit/${name}`);
	const args = [vitest, "run", "--config=test/vitest.config.ts", "--bail=1", ...tests];
	return (await runScript(args, { cwd: copy })).code === 0;
}

const wanted = process.argv.slice(2).join(" ");
const chosen = guards.filter(({ name }) => name.includes(wanted));
const copy = await copyProject();
let kept = 0;
try {
	if (!(await doPass(copy, [...new Set(chosen.flatMap(({ tests }) => tests))]))) {
		throw new Error("The tests fail with every guard in place.");
	}
	for (const guard of chosen) {
		const missed = await isMissed(copy, guard);
		kept += missed ? 0 : 1;
		say(`${missed ? "✔" : "✖"} ${guard.name} (${guard.file})`);
	}
} finally {
	await rm(copy, { recursive: true, force: true });
}
say(`${chosen.length} guards, ${chosen.length - kept} missed by a test when gone, ${kept} not`);
process.exitCode = kept > 0 ? 1 : 0;
