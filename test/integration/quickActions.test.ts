import assert from "node:assert/strict";
import * as vscode from "vscode";
import { chat, configure, until } from "./cutaway.ts";
import { type ScriptedService, startScriptedService, writeStream } from "./service.ts";

const code = "function add(a, b) {\n\treturn a + c;\n}\n";

describe("questions from the editor", () => {
	const problems = vscode.languages.createDiagnosticCollection("quick actions");
	let service: ScriptedService;
	let editor: vscode.TextEditor;
	let isHolding = false;

	before(async () => {
		service = await startScriptedService((_request, response) => {
			if (isHolding) {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.write('data: {"role":"assistant","content":""}\n\n');
			} else {
				writeStream(response, [["Done."]]);
			}
		});
		await configure({ endpoint: service.baseUrl });
	});
	after(async () => {
		problems.dispose();
		await configure({ endpoint: undefined, "editor.lightBulb": undefined });
		await service.stop();
	});
	beforeEach(async () => {
		await (await chat()).newChat();
		problems.clear();
		const document = await vscode.workspace.openTextDocument({
			language: "javascript",
			content: code,
		});
		editor = await vscode.window.showTextDocument(document);
	});

	const offered = async (range: vscode.Range, kind?: vscode.CodeActionKind) => {
		const { uri } = editor.document;
		const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
			"vscode.executeCodeActionProvider",
			uri,
			range,
			kind?.value,
		);
		return actions.filter(({ title }) => title.includes("Cutaway"));
	};
	const report = (): vscode.Diagnostic => {
		const range = new vscode.Range(1, 12, 1, 13);
		const problem = new vscode.Diagnostic(range, "Cannot find name 'c'.");
		problems.set(editor.document.uri, [problem]);
		return problem;
	};
	const asked = () =>
		service.heard
			.map(({ body }) => JSON.parse(body).messages.at(-1).content as string)
			.filter(content => content.includes("a + c"));
	const idle = async (): Promise<void> => {
		const controller = await chat();
		await until(
			() => controller.picture().turns.at(-1)?.status.state !== "streaming",
			"the answer to end",
		);
	};

	it("offers nothing at a bare cursor, three questions for a selection, two for a problem @core", async () => {
		assert.deepEqual(await offered(new vscode.Range(0, 0, 0, 0)), []);
		const selection = new vscode.Range(0, 0, 2, 1);
		assert.deepEqual(
			(await offered(selection)).map(({ title }) => title),
			["Explain selection with Cutaway", "Document with Cutaway", "Write tests with Cutaway"],
		);
		const { range } = report();
		await until(
			() => vscode.languages.getDiagnostics(editor.document.uri).length > 0,
			"the problem to be known",
		);
		const atProblem = await offered(new vscode.Range(range.start, range.start));
		assert.deepEqual(
			atProblem.map(({ title }) => title),
			["Fix with Cutaway", "Explain with Cutaway"],
		);
		const { SourceFixAll } = vscode.CodeActionKind;
		assert.deepEqual(await offered(selection, SourceFixAll), [], "nothing runs on save");
	});

	it("offers nothing once its setting is off", async () => {
		await configure({ "editor.lightBulb": false });
		assert.deepEqual(await offered(new vscode.Range(0, 0, 2, 1)), []);
		await configure({ "editor.lightBulb": undefined });
	});

	it("asks one question with the selection and the problems in it", async () => {
		report();
		editor.selection = new vscode.Selection(0, 0, 2, 1);
		const before = asked().length;
		await vscode.commands.executeCommand("cutaway.fixSelection");
		await idle();
		const sent = asked().slice(before);
		assert.equal(sent.length, 1);
		assert.match(sent[0] ?? "", /Fix what is wrong[\s\S]*2:13 error: Cannot find name 'c'\./);
		const turns = (await chat()).picture().turns;
		assert.equal(turns.length, 1);
		assert.equal(turns[0]?.attachments[0]?.kind, "selection");
	});

	it("asks about a problem with the lines around it when its light bulb is chosen", async () => {
		const { range } = report();
		const before = asked().length;
		await until(
			() => vscode.languages.getDiagnostics(editor.document.uri).length > 0,
			"the problem to be known",
		);
		const [fix] = await offered(new vscode.Range(range.start, range.start));
		assert.ok(fix?.command);
		await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
		await idle();
		assert.equal(asked().length, before + 1);
	});

	it("takes no place from a caller that is not Cutaway: without a selection nothing is asked", async () => {
		const before = asked().length;
		editor.selection = new vscode.Selection(0, 0, 0, 0);
		const range = new vscode.Range(0, 0, 2, 1);
		void vscode.commands.executeCommand("cutaway.explainSelection", {
			uri: editor.document.uri,
			range,
			diagnostics: [],
		});
		await new Promise(resolve => setTimeout(resolve, 300));
		await vscode.commands.executeCommand("notifications.clearAll");
		assert.equal(asked().length, before);
	});

	it("only writes into the composer while an answer is running", async () => {
		isHolding = true;
		const controller = await chat();
		const before = service.heard.length + 1;
		await controller.send("Go on");
		await until(() => service.heard.length === before, "the question to be asked");
		editor.selection = new vscode.Selection(0, 0, 2, 1);
		await vscode.commands.executeCommand("cutaway.explainSelection");
		assert.equal(service.heard.length, before);
		const { items } = controller.attachments.view();
		assert.equal(items.length, 1);
		controller.attachments.remove(items.map(({ id }) => id));
		controller.stop();
		await idle();
		isHolding = false;
	});
});
