/**
 * A program: takes the guards between a model and an effect away one at a time, in a copy of the project, and runs their
 * tests. Every guard must be missed: a run that stays green without one fails. `npm run test:guards`.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCacheFolder, projectRoot, say } from "./project.ts";
import { runScript } from "./script.ts";

interface Guard {
	readonly name: string;
	/** Below `src/`, or from the root in `media/`. */
	readonly file: string;
	readonly find: string;
	readonly replace: string;
	/**
	 * The test files of which one must fail: below `test/unit/`, or `webview/NAME`, or `integration/TITLE` with words of the
	 * title of a test of the integration suite.
	 */
	readonly tests: readonly string[];
}

const paths = ["paths/resolveTarget"];
const gate = ["tools/gate/toolGate"];
const hostile = ["tools/hostileModel"];
const loop = ["chat/tools/toolLoop"];
const fuzz = ["tools/gate/toolArguments"];
const journal = ["tools/undo/changeJournal"];
const remembered = ["tools/rememberedYes"];
const bounds = ["media/chat/markdown/elements/bounds"];
const untrusted = ["webview/untrusted"];

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
		file: "paths/pathForm.ts",
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
		file: "paths/resolveTarget.ts",
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
		file: "tools/gate/toolGate.ts",
		find,
		replace,
		tests,
	})),
	{
		name: "fingerprint of an answer",
		file: "tools/gate/approvals.ts",
		find: "answer.fingerprint !== request.fingerprint",
		replace: "false",
		tests: gate,
	},
	{
		name: "half a second",
		file: "tools/gate/approvals.ts",
		find: "clock.monotonic() - shownAt >= armMs",
		replace: "true",
		tests: gate,
	},
	{
		name: "one at a time",
		file: "tools/gate/approvals.ts",
		find: "tail.then(turn, turn)",
		replace: "turn()",
		tests: gate,
	},
	{
		name: "remembered for a file",
		file: "tools/gate/approvals.ts",
		find: "this.remembered.has(keyOf(chatId, tool, path))",
		replace: "remembered.size > 0",
		tests: gate,
	},
	{
		name: "not remembered when sensitive",
		file: "tools/gate/approvalRequest.ts",
		find: "isPlainEdit && warnings.length === 0",
		replace: "isPlainEdit",
		tests: gate,
	},
	{
		name: "identity in the fingerprint",
		file: "tools/gate/approvalRequest.ts",
		find: "[path, kind, identity]",
		replace: "[path, kind]",
		tests: gate,
	},
	{
		name: "both sides in the fingerprint",
		file: "tools/gate/approvalRequest.ts",
		find: "plan.binding ?? []",
		replace: "[]",
		tests: gate,
	},
	{
		name: "tools off",
		file: "tools/gate/acceptCall.ts",
		find: "if (off !== undefined)",
		replace: "if (false)",
		tests: gate,
	},
	{
		name: "one tool off",
		file: "tools/gate/acceptCall.ts",
		find: "if (policy.isOff(tool.name))",
		replace: "if (false)",
		tests: gate,
	},
	{
		name: "depth of arguments",
		file: "tools/gate/toolArguments.ts",
		find: "open.length > maxArgumentsDepth",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "length of arguments",
		file: "tools/gate/toolArguments.ts",
		find: "text.length > maxArgumentsLength",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "names of JavaScript",
		file: "tools/gate/toolArguments.ts",
		find: "forbiddenNames.has(name)",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "a name twice",
		file: "tools/gate/toolArguments.ts",
		find: "names?.has(name)",
		replace: "false",
		tests: fuzz,
	},
	{
		name: "overlapping edits",
		file: "tools/tool/edits.ts",
		find: "hunk.start < (hunks[index - 1]?.end ?? 0)",
		replace: "false",
		tests: ["tools/tool/edits"],
	},
	{
		name: "an edit placed twice",
		file: "tools/tool/edits.ts",
		find: "text.includes(find, at + 1)",
		replace: "false",
		tests: ["tools/tool/edits"],
	},
	{
		name: "new addresses",
		file: "tools/tool/edits.ts",
		find: "added.length > 0",
		replace: "false",
		tests: hostile,
	},
	{
		name: "hidden characters",
		file: "tools/tool/edits.ts",
		find: "hidden > 0",
		replace: "false",
		tests: hostile,
	},
	{
		name: "whole names of a folder",
		file: "paths/pathForm.ts",
		find: "above.every((name, index) => isSame(name, names[index]))",
		replace: "path.startsWith(folder)",
		tests: paths,
	},
	{
		name: "case of sensitive names",
		file: "paths/sensitivePaths.ts",
		find: "\t\t.toUpperCase()\n\t\t.toLowerCase()\n",
		replace: "",
		tests: hostile,
	},
	{
		name: "Unicode of sensitive names",
		file: "paths/sensitivePaths.ts",
		find: '\t\t.normalize("NFKC")\n\t\t.replaceAll',
		replace: "\t\t.replaceAll",
		tests: ["paths/sensitivePaths"],
	},
	{
		name: "closed messages alone",
		file: "chat/tools/requestedCalls.ts",
		find: "!event.isClosed || event.unreadableFrames > 0",
		replace: "false",
		tests: [...loop, "chat/tools/requestedCalls"],
	},
	{
		name: "whole answers alone",
		file: "chat/tools/toolLoop.ts",
		find: "isOver && collector.isWhole()",
		replace: "true",
		tests: [...loop, "chat/tools/requestedCalls"],
	},
	{
		name: "conflicting ids",
		file: "chat/tools/requestedCalls.ts",
		find: "if (isConflict)",
		replace: "if (false)",
		tests: loop,
	},
	{
		name: "answered ids",
		file: "chat/tools/requestedCalls.ts",
		find: "before && isSame(before.own, call)",
		replace: "before && false",
		tests: loop,
	},
	{
		name: "three bad calls",
		file: "chat/tools/toolLoop.ts",
		find: "this.badInRow >= maxBadCalls",
		replace: "false",
		tests: loop,
	},
	{
		name: "read-only before it is asked",
		file: "tools/gate/toolGate.ts",
		find: 'if (passage.tool.effect === "write") {',
		replace: "if (false) {",
		tests: gate,
	},
	...(
		[
			["state before on disk", "await journal.begin(call, changes);", "", "gate/settleChange"],
			[
				"no run without a record",
				"throw new ToolFailure(",
				"void new ToolFailure(",
				"gate/settleChange",
			],
			[
				"end of a change",
				"journal.made(call, await textsOf(dependencies, changes))",
				"undefined",
				"gate/settleChange",
			],
			[
				"change that was not made",
				"() => journal.dropped(call)",
				"async () => undefined",
				"gate/settleChange",
			],
			[
				"bound of what is kept",
				"Buffer.byteLength(text) <= maxKeptBytes",
				"true",
				"undo/changeJournal",
			],
			["bound of a kept file", "bytes.length <= maxKeptBytes", "true", "undo/changeJournal"],
			["text as it was saved", "texts.get(file.path)", "undefined", "undo/changeJournal"],
			["undo of what moved on", "isSameText(text, file.after)", "true", "undo/undoPlan"],
			[
				"undo of a file that was changed",
				"isSameText(found.text, file.after)",
				"true",
				"undo/undoPlan",
			],
			[
				"undo over a file that exists",
				'return to?.kind === "missing"',
				'return to?.kind !== "folder"',
				"undo/undoPlan",
			],
			[
				"undo of a deletion over a file",
				'return target?.kind === "missing"',
				'return target?.kind !== "folder"',
				"undo/undoPlan",
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
		file: "tools/gate/cancellableCalls.ts",
		find,
		replace,
		tests: ["tools/gate/cancellableCalls"],
	})),
	{
		name: "going on without running again",
		file: "chat/tools/toolLoop.ts",
		find: "this.contents.set(this.ownIds.of(call).id, content);",
		replace: "void content;",
		tests: ["chat/tools/continuation"],
	},
	{
		name: "a started call stays in the turn",
		file: "chat/tools/continuation.ts",
		find: "callsOf(raw, index).some(({ id }) => started.some(cardId => isOwnIdOf(cardId, id)))",
		replace: "false",
		tests: ["chat/tools/continuation"],
	},
	{
		name: "results stay in the turn",
		file: "chat/tools/continuation.ts",
		find: "isAnswer(raw) ||\n\t\t\t\t\tcallsOf",
		replace: "callsOf",
		tests: ["chat/tools/continuation"],
	},
	{
		name: "calls of an earlier attempt",
		file: "chat/turn/applyToolRecord.ts",
		find: "attempt !== turn.attempt",
		replace: "false",
		tests: ["ui/tools/toolCards", "chat/tools/continuation"],
	},
	{
		name: "«Try again» goes on",
		file: "ui/chat/chatQuestions.ts",
		find: 'continuationOf(turn) ? askAgain(turnId, "resume") : retry(turnId)',
		replace: "retry(turnId)",
		tests: ["ui/chat/chatQuestions"],
	},
	{
		name: "25 rounds",
		file: "chat/tools/toolLoop.ts",
		find: "round >= this.roundsAllowed",
		replace: "false",
		tests: loop,
	},
	{
		name: "message that a number alone speaks of",
		file: "chat/log/chatReplay.ts",
		find: "index > turn.messages.length + maxLostMessages",
		replace: "false",
		tests: ["chat/export/chatExport"],
	},
	{
		name: "time that can be shown",
		file: "chat/turn/recordTime.ts",
		find: ".check(z.minimum(-maxTime), z.maximum(maxTime))",
		replace: "",
		tests: ["chat/export/chatExport"],
	},
	...(
		[
			["records", "this.records <= maxRecords"],
			["numbers", "(turnNumberOf(record) ?? 0) <= maxTurnNumber"],
			["questions", "this.turns <= maxTurns"],
			["branches", "this.branches <= maxBranches"],
			["one answer", "countOne(this.recordsByTurn, turn) <= maxRecordsOfTurn"],
			["attempts", "countOne(this.attemptsByTurn, turn) <= maxAttempts"],
		] as const
	).map(([name, find]) => ({
		name: `import bounded by ${name}`,
		file: "chat/export/importLimits.ts",
		find,
		replace: "true",
		tests: ["chat/export/chatExport"],
	})),
	{
		name: "turns for others while a long chat is read",
		file: "common/async.ts",
		find: "if (clock.monotonic() - startedAt >= maxTurnMs) {",
		replace: "if (false) {",
		tests: ["chat/export/chatExport"],
	},
	{
		name: "import bounded by a line",
		file: "chat/export/chatExport.ts",
		find: "bytes.length > maxParsedBytes",
		replace: "false",
		tests: ["chat/export/chatExport"],
	},
	{
		name: "folder of the chats for its owner",
		file: "storage/fileSystem.ts",
		find: "await fs.chmod(path, ownerOnlyFolder);",
		replace: "",
		tests: ["chat/store/chatStore.test"],
	},
	...(
		[
			["https links alone", 'url?.protocol !== "https:"', "!url"],
			["link with a user's name", "url.username || url.password", "false"],
			["link with much data", "if (carried > 0)", "if (false)"],
			["link with a long query", "query > maxQuiet.query", "false"],
			["link with a long path", "all > maxQuiet.all", "false"],
			[
				"link with a long host",
				"const isLongHost = host.length > maxQuiet.host",
				"const isLongHost = false",
			],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "ui/webview/openLink.ts",
		find,
		replace,
		tests: ["ui/webview/openLink"],
	})),
	...(
		[
			["prompts of a trusted workspace", "if (!vscode.workspace.isTrusted)", "if (false)"],
			["no linked prompt", "type === vscode.FileType.File", "true"],
			["no linked folder of prompts", "type !== vscode.FileType.Directory", "false"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "ui/composer/userPrompts.ts",
		find,
		replace,
		tests: ["ui/composer/userPrompts"],
	})),
	{
		name: "key in the spelling of addresses",
		file: "client/request/redact.ts",
		find: "encodeURIComponent(apiKey.toWellFormed()),",
		replace: "",
		tests: ["client/request/redact"],
	},
	{
		name: "pattern of a generation's id",
		file: "localService/video/generationStore.ts",
		find: "idPattern.test(id) ?",
		replace: "true ?",
		tests: ["localService/video/generationStore"],
	},
	{
		name: "clip for its owner",
		file: "video/download/clipFile.ts",
		find: '"wx+", 0o600',
		replace: '"wx+"',
		tests: ["video/download/videoDownload"],
	},
	...(
		[
			["elements of a diagram", "!allowedElements[namespace]?.has(element.localName)", "false"],
			["attributes of a diagram that run", '!name.startsWith("on") &&', ""],
			["addresses of a diagram", "ownAddress.test(value)", "true"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "media/chat/diagram/frame/showDrawing.ts",
		find,
		replace,
		tests: untrusted,
	})),
	...(
		[
			["sandbox of a diagram", 'frame.setAttribute("sandbox", "allow-scripts");', ""],
			[
				"reply of a diagram's frame",
				"z.safeParse(frameReplySchema, event.data)",
				"{ success: true as const, data: event.data as FrameReply }",
			],
			["height of a diagram", "Math.min(maxHeight, ", "Math.min(Infinity, "],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "media/chat/diagram/diagramFrame.ts",
		find,
		replace,
		tests: untrusted,
	})),
	{
		name: "length of a diagram's reason",
		file: "media/chat/diagram/messages.ts",
		find: ".check(z.maxLength(2000))",
		replace: "",
		tests: untrusted,
	},
	{
		name: "place of a formula's parts",
		file: "media/chat/markdown/final/sanitizeFormula.ts",
		find: "allowedPositions.has(value)",
		replace: "true",
		tests: untrusted,
	},
	{
		name: "elements of a formula",
		file: "media/chat/markdown/final/sanitizeFormula.ts",
		find: "!allowedElements[namespace]?.has(element.localName)",
		replace: "false",
		tests: untrusted,
	},
	{
		name: "attributes of a formula",
		file: "media/chat/markdown/final/sanitizeFormula.ts",
		find: "allowedAttributes[name]?.test(value)",
		replace: "true",
		tests: untrusted,
	},
	...(
		[
			["not in the workspace folder itself", "folders.length > 0 &&", ""],
			["known kinds alone", "(isProse || sourceKinds.has(kind)) &&", ""],
			["dotfiles", "!names.some(isOddName) &&", ""],
			[
				"folders of tools",
				"folders.some(folder => busyFolders.has(folder)",
				"folders.some(folder => false",
			],
			["names of tools", "busyWords.has(part) || ", ""],
			["files of tasks", " || taskFile.test(part)", ""],
			["instructions of agents", "!(isProse && names", "!(false && names"],
			["executable files", "!target.isExecutable &&", ""],
			["scripts", "![before, after].some", "![].some"],
		] as const
	).map(([name, find, replace]) => ({
		name: `remembered for plain files: ${name}`,
		file: "tools/gate/plainFile.ts",
		find,
		replace,
		tests: remembered,
	})),
	{
		name: "remembered for plain files",
		file: "tools/gate/approvalRequest.ts",
		find: 'file.change === "edit" && isPlainFile(file)',
		replace: 'file.change === "edit"',
		tests: remembered,
	},
	{
		name: "remembered for what was changed",
		file: "tools/gate/toolGate.ts",
		find: 'changes.flatMap(change => (change.type === "edit" ? change.target.path : []))',
		replace: "targets.map(target => target.path)",
		tests: remembered,
	},
	...(
		[
			["links on reading", "(constants.O_NOFOLLOW ?? 0)", "0"],
			["ordinary files on reading", "stats.isFile() && `", "`"],
			["same file on reading", "if (!isSame || !isAtItsPath(target))", "if (false)"],
			["path walked again on reading", "|| !isAtItsPath(target)", ""],
			["links on the way on reading", "realpathSync(path) === path &&", ""],
			["size on reading", "stats.size > BigInt(maxFileBytes)", "false"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "tools/tool/safeFile.ts",
		find,
		replace,
		tests: ["tools/tool/safeFile"],
	})),
	{
		name: "calls at once",
		file: "chat/tools/toolLoop.ts",
		find: "createLimiter(maxCallsAtOnce)",
		replace: "createLimiter(1000)",
		tests: ["chat/manyCalls"],
	},
	{
		name: "calls of one answer",
		file: "chat/tools/requestedCalls.ts",
		find: "runs > maxCallsPerAnswer",
		replace: "false",
		tests: ["chat/manyCalls"],
	},
	...["__proto__", "constructor", "prototype"].map(name => ({
		name: `${name} in arguments`,
		file: "tools/gate/toolArguments.ts",
		find: `"${name}"`,
		replace: '"-"',
		tests: fuzz,
	})),
	{
		name: "addresses without all of their slashes",
		file: "tools/tool/addresses.ts",
		find: "{1,8}[",
		replace: "{2,8}[",
		tests: ["tools/tool/addresses"],
	},
	{
		name: "addresses without a scheme",
		file: "tools/tool/addresses.ts",
		find: ", ...withoutScheme]",
		replace: "]",
		tests: ["tools/tool/addresses"],
	},
	...(
		[
			[
				"nothing runs after a cell",
				"for (const cell of cellsFrom(parent, new Int32Array(data.bell))) {",
				'for await (const [received] of (await import("node:events")).on(parent, "message")) {\n\t\t\tconst cell = cellRequestSchema.parse(received);',
			],
			["a thread between two cells sleeps", "Atomics.wait(bell, 0, rung)", "void rung"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "localService/python/worker.ts",
		find,
		replace,
		tests: ["localService/python/codeInterpreter"],
	})),
	...(
		[
			["a Python that does not sleep between two cells", "!life.isAsleep()", "false"],
			["memory that an idle Python holds", "heldBytes > maxHeldBytes", "false"],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "localService/python/pythonThread.ts",
		find,
		replace,
		tests: ["localService/python/sessions"],
	})),
	{
		name: "memory that Python says it holds",
		file: "localService/python/worker.ts",
		find: "heapTotal + external",
		replace: "0",
		tests: ["localService/python/codeInterpreter"],
	},
	{
		name: "no Python of an ambiguous chat",
		file: "localService/python/conversations.ts",
		find: "states.length === 1",
		replace: "true",
		tests: ["localService/python/sessions"],
	},
	{
		name: "length of a report of Python",
		file: "localService/python/worker.ts",
		find: "report.length > maxReportLength",
		replace: "false",
		tests: ["localService/python/codeInterpreter"],
	},
	...(
		[
			["environment of Python's thread", "pythonThread", "\t\tenv: {},\n", ""],
			["sealed Function constructors", "worker", "sealFunctionConstructors();", ""],
			[
				"errors from outside the sandbox",
				"shell",
				'} catch {\n\t\tthrow new Error("The outside refused");',
				"} catch (error) {\n\t\tthrow error;",
			],
			[
				"no path in a stack",
				"shell",
				'Object.defineProperty(Error, "stackTraceLimit"',
				'Object.defineProperty({}, "stackTraceLimit"',
			],
		] as const
	).map(([name, file, find, replace]) => ({
		name,
		file: `localService/python/${file}.ts`,
		find,
		replace,
		tests: ["localService/python/escape"],
	})),
	...["browsing/browsing", "video/imageFetch"].map(test => ({
		name: `checked address in ${test}`,
		file: "localService/base/publicFetch.ts",
		find: "lookup: (_name, ",
		replace: "unused: (_name, ",
		tests: [`localService/${test}`],
	})),
	{
		name: "look-up that hangs",
		file: "localService/base/publicFetch.ts",
		find: "await untilAborted(resolvePublic(target, options), signal)",
		replace: "await resolvePublic(target, options)",
		tests: ["localService/video/imageFetch"],
	},
	{
		name: "environment of the reader's thread",
		file: "localService/browsing/readPage.ts",
		find: "\t\t\tenv: {},\n",
		replace: "",
		tests: ["localService/browsing/browsing"],
	},
	{
		name: "time of the reader's thread",
		file: "localService/browsing/readPage.ts",
		find: "clock.setTimer(extractTimeoutMs, fail)",
		replace: "clock.setTimer(extractTimeoutMs * 100, fail)",
		tests: ["localService/browsing/browsing"],
	},
	{
		name: "cookies of fetch",
		file: "client/transport/fetchTransport.ts",
		find: '\t\tcredentials: "omit",\n',
		replace: "",
		tests: ["client/transport/transport.conformance"],
	},
	{
		name: "room for the user's own connections",
		file: "localService/http/server.ts",
		find: "const [oldest = socket] = this.strangers;",
		replace: "const oldest = socket;",
		tests: ["localService/http/server"],
	},
	...(
		[
			["instructions of what is inside the workspace", "if (concern) {", "if (false) {"],
			["secrets in what is sent as instructions", "|| findSecrets(text).length > 0", ""],
		] as const
	).map(([name, find, replace]) => ({
		name,
		file: "attachments/files/projectInstructions.ts",
		find,
		replace,
		tests: ["attachments/files/projectInstructions"],
	})),
	{
		name: "secrets in results are masked",
		file: "tools/gate/toolGate.ts",
		find: "isMasked ? maskSecrets(content) : content",
		replace: "content",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "other names of a file in a diff",
		file: "tools/gate/toolGate.ts",
		find: "target.isHardLinked ||\n\t\t\t\tpolicy",
		replace: "policy",
		tests: ["tools/hardLinkedDiff"],
	},
	{
		name: "excluded files are not told of",
		file: "tools/gate/toolGate.ts",
		find: "policy.isExcluded(target);\n\t\t\treturn isAskedAbout",
		replace: "false;\n\t\t\treturn isAskedAbout",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "both names of a renamed file",
		file: "tools/catalog/codeTools.ts",
		find: "targets.length === 0 || targets.includes(undefined)",
		replace: "targets.every(target => target === undefined)",
		tests: ["tools/catalog/gitDiff"],
	},
	{
		name: "calls of answers read in part",
		file: "client/stream/chatAnswer.ts",
		find: "lost > 0 || isUnusable ? undefined : toolCalls",
		replace: "isUnusable ? undefined : toolCalls",
		tests: ["client/status"],
	},
	{
		name: "pieces of calls that are not understood",
		file: "client/stream/chatFrame.ts",
		find: "parsed.success && !others.some(mayBePiece)",
		replace: "parsed.success",
		tests: ["client/stream/toolCalls"],
	},
	{
		name: "lists of files leave out what is asked about",
		file: "tools/catalog/fileLists.ts",
		find: "(target ?? dependencies.tellable(path))",
		replace: "(target ?? dependencies.look(path))",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "open files leave out what is asked about",
		file: "tools/catalog/lookTools.ts",
		find: "isInside ? dependencies.tellable(path)",
		replace: "isInside ? dependencies.look(path)",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "lines in the middle of a private key in a diff",
		file: "tools/catalog/codeTools.ts",
		find: "some(holdsPrivateKey) ? masked",
		replace: "every(holdsPrivateKey) ? text",
		tests: ["tools/secretsInTools"],
	},
	{
		name: "bound of nested quotes and items while text arrives",
		file: "media/chat/markdown/stream/openLine.ts",
		find: "state.containers.length < maxOpenContainers",
		replace: "true",
		tests: bounds,
	},
	{
		name: "bound of nested blocks of finished text",
		file: "media/chat/markdown/final/renderBlocks.ts",
		find: "level > maxBlockLevel",
		replace: "level > Infinity",
		tests: bounds,
	},
	{
		name: "bound of nested inline elements while text arrives",
		file: "media/chat/markdown/stream/inlineFrames.ts",
		find: "stack.length <= maxInlineDepth",
		replace: "stack.length > 0",
		tests: bounds,
	},
	{
		name: "bound of nested inline elements of finished text",
		file: "media/chat/markdown/final/renderInline.ts",
		find: "stack.length > maxInlineDepth ? parent : createEmphasis(token.type, parent)",
		replace: "createEmphasis(token.type, parent)",
		tests: bounds,
	},
	{
		name: "bound of columns while a table arrives",
		file: "media/chat/markdown/stream/openLine.ts",
		find: " || header.length > maxColumns",
		replace: "",
		tests: bounds,
	},
	{
		name: "bound of columns of a finished table",
		file: "media/chat/markdown/final/tableRule.ts",
		find: " && cells.length <= maxColumns",
		replace: "",
		tests: bounds,
	},
	{
		name: "bound of the items of a list",
		file: "media/chat/markdown/elements/lists.ts",
		find: "count < maxListItems",
		replace: "true",
		tests: bounds,
	},
	{
		name: "bound of the inline elements of a block",
		file: "media/chat/markdown/final/renderBlocks.ts",
		find: 'target.getElementsByTagName("*").length > maxInlineElements',
		replace: "false",
		tests: bounds,
	},
	{
		name: "bound of the drawn formulas of a block",
		file: "media/chat/markdown/final/math.ts",
		find: "count <= maxDrawnFormulas",
		replace: "true",
		tests: bounds,
	},
	{
		name: "bound of an address of a link",
		file: "media/chat/markdown/elements/safeLink.ts",
		find: "maxUrlCharacters = 4096",
		replace: "maxUrlCharacters = 409_600",
		tests: bounds,
	},
	{
		name: "bound of inline text parsed at once",
		file: "media/chat/markdown/elements/bounds.ts",
		find: "text.length - start > maxInlineCharacters",
		replace: "false",
		tests: bounds,
	},
	{
		name: "plain text of a message that fails while it arrives",
		file: "media/chat/markdown/answer.ts",
		find: "intake.tools.onFailed(error);",
		replace: "throw error;",
		tests: bounds,
	},
	{
		name: "plain text of a message that fails at once",
		file: "media/chat/markdown/answer.ts",
		find: "tools.onFailed(error);\n\t\telement.replaceChildren",
		replace: "throw error;\n\t\telement.replaceChildren",
		tests: bounds,
	},
	{
		name: "plain text of a piece that fails",
		file: "media/chat/markdown/stream/liveText.ts",
		find: "tools.onFailed(error);",
		replace: "throw error;",
		tests: bounds,
	},
	{
		name: "a lease that was taken since it was found",
		file: "storage/lease.ts",
		find: "if (isSame) {",
		replace: "if (now !== isSame) {",
		tests: ["storage/lease"],
	},
	{
		name: "a chat in which nothing can be written",
		file: "media/chat/chatView.ts",
		find: "banner?.readOnly !== undefined",
		replace: "false",
		tests: ["webview/readOnly"],
	},
	...(
		[
			[
				"a prompt only to the server it names",
				"localService/models/createModels.ts",
				"servers.find(candidate => candidate.name === name)",
				"servers[0]",
			],
			[
				"a failure told without a second request",
				"localService/models/createModels.ts",
				"if (earlier && request.stream !== true)",
				"if (false)",
			],
			[
				"a failure told once",
				"localService/models/createModels.ts",
				"met.splice(index, 1)[0]?.failure",
				"met[index]?.failure",
			],
			[
				"rounds of tools",
				"localService/models/answering.ts",
				"const maxRounds = 16;",
				"const maxRounds = 18;",
			],
			[
				"a call cut at the limit",
				"localService/models/answering.ts",
				"if (end.isCut) {",
				"if (end.isCut && end.calls.length === 0) {",
			],
			[
				"arguments that are not the tool's",
				"localService/models/serverTools.ts",
				"if (value === undefined) {",
				"if (false) {",
			],
			[
				"a conversation never truncated",
				"localService/ollama/ollamaWire.ts",
				"truncate: false",
				"truncate: true",
			],
			[
				"a conversation never shifted",
				"localService/ollama/ollamaWire.ts",
				"shift: false",
				"shift: true",
			],
			[
				"a refusal that only mentions a parameter",
				"localService/openai/refusedParameters.ts",
				"isRefused(key, refusal)",
				"refusal.body.includes(key)",
			],
			[
				"a limit of tokens never given up",
				"localService/openai/refusedParameters.ts",
				'...["max_tokens", "max_completion_tokens"],',
				"",
			],
		] as const
	).map(([name, file, find, replace]) => ({
		name: `models: ${name}`,
		file,
		find,
		replace,
		tests: ["localService/models/createModels"],
	})),
	{
		name: "models: a key only to its own origin",
		file: "ui/models/modelServers.ts",
		find: "readKey(keys, originOf(server), log)",
		replace: "readKey(keys, originOf(modelServers(settings, log)[0] ?? server), log)",
		tests: ["ui/models/modelServers"],
	},
	{
		name: "models: no plain http to another machine",
		file: "ui/models/modelServers.ts",
		find: "!parseEndpoint(server.baseUrl).ok",
		replace: "!URL.canParse(server.baseUrl)",
		tests: ["ui/models/modelServers"],
	},
	{
		name: "models: a thought that is never closed is shown",
		file: "localService/openai/thoughts.ts",
		find: "(isCut && hasThoughts) ? [] : release()",
		replace: "(isCut && hasThoughts) ? [] : []",
		tests: ["localService/openai/wireShapes"],
	},
	{
		name: "videos: a change of a file that may hold secrets is asked about",
		file: "ui/video/request/changePrompt.ts",
		find: "names.map(secretRule)",
		replace: "[].map(secretRule)",
		tests: ["ui/video/request/changePrompt"],
	},
	{
		name: "videos: a change that shows a secret is asked about",
		file: "ui/video/request/changePrompt.ts",
		find: "findSecrets(plain)[0]?.kind",
		replace: "undefined",
		tests: ["ui/video/request/changePrompt"],
	},
	{
		name: "a service that is not the local one never hears of details",
		file: "client/details.ts",
		find: "connection.hasDetails !== true || !onDetail",
		replace: "!onDetail",
		tests: ["client/details"],
	},
	{
		name: "models: a kept call goes back with itself alone",
		file: "localService/models/callMemory.ts",
		find: "[id, name, input]",
		replace: "[id]",
		tests: ["localService/models/callMemory"],
	},
	{
		name: "models: a lost state is told in words once",
		file: "localService/openai/wireRequest.ts",
		find: "told.size > 0 ? plain : undefined",
		replace: "undefined",
		tests: ["localService/models/callMemory"],
	},
	{
		name: "models: a model is downloaded once at a time",
		file: "ui/models/downloadModel.ts",
		find: "if (running.has(key)) {",
		replace: "if (running.has(`${key} again`)) {",
		tests: ["ui/models/getModel"],
	},
	{
		name: "models: a download takes no choice away",
		file: "ui/models/downloadModel.ts",
		find: 'dependencies.settings.get("chat.model") === before &&',
		replace: "before !== undefined &&",
		tests: ["ui/models/getModel"],
	},
	{
		name: "models: no time-out once a server has the request",
		file: "localService/openai/post.ts",
		find: "socket.once(connected, () => timer.dispose());",
		replace: "",
		tests: ["localService/openai/post"],
	},
	{
		name: "models: a download without success is none",
		file: "localService/ollama/pullModel.ts",
		find: 'return isDone ? undefined : { reason: "lost", words: "" };',
		replace: "return isDone ? undefined : undefined;",
		tests: ["localService/ollama/pullModel"],
	},
	{
		name: "models: a provider of the editor gets nothing the user did not allow",
		file: "ui/models/editorModels.ts",
		find: "if (!(await untilAborted(isAllowed(allowed, model), signal))) {",
		replace: "if (allowed === undefined) {",
		tests: ["ui/models/editorModels"],
	},
	{
		name: "models: an empty answer of the editor is a failure",
		file: "localService/editorModels/editorLink.ts",
		find: "if (isEmpty) {",
		replace: "if (isEmpty && failure) {",
		tests: ["localService/editorModels/editorLink"],
	},
	{
		name: "models: an engine the user left out is not asked",
		file: "localService/models/createModels.ts",
		find: 'if (engine !== "auto" && !kinds.includes(engine)) {',
		replace: 'if (engine === "demo" && !kinds.includes(engine)) {',
		tests: ["localService/models/createModels"],
	},
	{
		name: "models: an answer of the editor that is left is canceled",
		file: "localService/editorModels/editorLink.ts",
		find: "if (!isOver) {",
		replace: "if (isOver && signal.aborted) {",
		tests: ["localService/editorModels/editorLink"],
	},
	{
		name: "models: parts of the editor's answers cross together",
		file: "localService/host/editorQuestions.ts",
		find: "setImmediate(flush);",
		replace: "queueMicrotask(flush);",
		tests: ["localService/editorModels/editorLink"],
	},
	{
		name: "models: the end of the service's thread ends what it asked of the editor",
		file: "localService/host/serviceThread.ts",
		find: 'worker.once("exit", () => this.editor.cancelAll());',
		replace: "",
		tests: ["localService/host/lifecycle"],
	},
	{
		name: "models: an allowed provider of the editor can be taken back",
		file: "ui/models/providerMemory.ts",
		find: "name !== provider",
		replace: 'name !== ""',
		tests: ["ui/models/chooseModel"],
	},
];

/** A copy of what the tests need; the installed packages and the fetched editors are linked. */
async function copyProject(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), "cutaway-guards-"));
	const linked = ["node_modules", ".vscode-test"];
	const made = new Set([".git", "dist", "out", "test-results", ...linked]);
	for (const name of await readdir(projectRoot)) {
		if (!made.has(name)) {
			await cp(join(projectRoot, name), join(copy, name), { recursive: true });
		}
	}
	await makeCacheFolder();
	for (const name of linked) {
		await symlink(join(projectRoot, name), join(copy, name));
	}
	return copy;
}

/** Whether a test fails without the guard. */
async function isMissed(copy: string, guard: Guard): Promise<boolean> {
	const file = join(copy, guard.file.startsWith("media/") ? "" : "src", guard.file);
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

/** Tests of pages that bundle what they look at, and so need no build. */
const bundlesItself: ReadonlySet<string> = new Set(["untrusted"]);

/** Runs tests in the copy, each with what runs it; whether all of them pass. */
async function doPass(copy: string, names: readonly string[]): Promise<boolean> {
	const below = (folder: string): string[] =>
		names.flatMap(name => (name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : []));
	const run = async (...args: readonly string[]): Promise<boolean> =>
		(await runScript(args, { cwd: copy })).code === 0;
	const [pages, titles] = [below("webview"), below("integration")];
	const units = names.filter(name => !/^(?:webview|integration)\//.test(name));
	const unitTests = units.map(name => `test/unit/${name}`);
	const vitest = join("node_modules", "vitest", "vitest.mjs");
	const playwright = join("node_modules", "@playwright", "test", "cli.js");
	const pageConfig = join("test", "webview", "playwright.config.ts");
	return (
		(units.length === 0 ||
			(await run(vitest, "run", "--config=test/vitest.config.ts", "--bail=1", ...unitTests))) &&
		([...pages, ...titles].every(name => bundlesItself.has(name)) || (await run("esbuild.js"))) &&
		(pages.length === 0 ||
			(await run(
				playwright,
				"test",
				`--config=${pageConfig}`,
				"--max-failures=1",
				"--workers=1",
				...pages,
			))) &&
		(titles.length === 0 ||
			(await run(join("test", "host", "integration.ts"), "--grep", titles.join("|"))))
	);
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
