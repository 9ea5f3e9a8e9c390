/** An extension that brings a language model, whose answers a test scripts with the command `cutawayTest.scriptModel`, a tool and an MCP server. */
const { join } = require("node:path");
const vscode = require("vscode");

exports.activate = context => {
	/** One entry for each request: parts, or how the request goes wrong. */
	let script = [];
	let registration;
	const heard = [];
	let canceled = 0;
	const information = {
		id: "tiny",
		name: "Tiny",
		family: "tiny",
		version: "1",
		maxInputTokens: 4096,
		maxOutputTokens: 512,
		capabilities: {
			toolCalling: true,
			imageInput: false,
		},
	};
	const plainPart = part =>
		part.callId === undefined
			? { text: part.value }
			: {
					call: part.callId,
					...(part.input
						? { name: part.name, input: part.input }
						: { result: part.content[0].value }),
				};
	const report = (progress, part) => {
		if (part.text !== undefined) {
			progress.report(new vscode.LanguageModelTextPart(part.text));
		} else if (part.thinking !== undefined) {
			progress.report(new vscode.LanguageModelThinkingPart(part.thinking));
		} else {
			progress.report(new vscode.LanguageModelToolCallPart(part.call, part.name, part.input));
		}
	};
	const provider = {
		provideLanguageModelChatInformation: async () => [information],
		provideTokenCount: async () => 1,
		provideLanguageModelChatResponse: async (_model, messages, options, progress, token) => {
			heard.push({
				messages: messages.map(({ role, content }) => ({ role, parts: content.map(plainPart) })),
				tools: (options.tools ?? []).map(({ name }) => name),
			});
			const { parts = [], error, hangs } = script.shift() ?? {};
			for (const part of parts) {
				report(progress, part);
			}
			if (hangs) {
				await new Promise(resolve => token.onCancellationRequested(resolve));
				canceled += 1;
			}
			if (error) {
				throw Object.assign(new Error(error.message), { name: error.name });
			}
		},
	};
	const register = () => {
		registration ??= vscode.lm.registerLanguageModelChatProvider("cutaway-test", provider);
	};
	register();
	context.subscriptions.push(
		vscode.lm.registerMcpServerDefinitionProvider("cutaway-test.servers", {
			provideMcpServerDefinitions: () => [
				new vscode.McpStdioServerDefinition("Fake", process.execPath, [
					join(__dirname, "mcpServer.mjs"),
				]),
			],
		}),
		vscode.lm.registerTool("test_shout", {
			invoke: ({ input }) =>
				new vscode.LanguageModelToolResult([
					new vscode.LanguageModelTextPart(input.text.toUpperCase()),
				]),
		}),
		vscode.commands.registerCommand("cutawayTest.scriptModel", answers => {
			register();
			script = answers;
			heard.length = 0;
			canceled = 0;
		}),
		vscode.commands.registerCommand("cutawayTest.modelHeard", () => ({ heard, canceled })),
		vscode.commands.registerCommand("cutawayTest.removeModel", () => {
			registration?.dispose();
			registration = undefined;
		}),
	);
};
