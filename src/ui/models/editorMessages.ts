import * as vscode from "vscode";
import * as z from "zod/mini";
import type { EditorModelRequest } from "../../common/modelSetup.ts";
import { parseJson } from "../../common/json.ts";

const textSchema = z.object({ type: z.literal("text"), text: z.string() });
const imageSchema = z.object({
	type: z.literal("image_url"),
	image_url: z.object({ url: z.string().check(z.regex(/^data:image\/[a-z]+;base64,/)) }),
});

const messageSchema = z.object({
	role: z.string(),
	content: z._default(
		z.nullish(z.union([z.string(), z.array(z.union([textSchema, imageSchema]))])),
		"",
	),
	tool_call_id: z.optional(z.string()),
	tool_calls: z.optional(
		z.array(
			z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
		),
	),
});

/**
 * Converts messages from OpenAI's format for the editor's models. The editor has two roles, so a system prompt is put into the first user message,
 * and tool results are user messages. Throws if a message is invalid.
 */
export function editorMessages(
	messages: EditorModelRequest["messages"],
): readonly vscode.LanguageModelChatMessage[] {
	const { User, Assistant } = vscode.LanguageModelChatMessage;
	const parsed = z.array(messageSchema).parse(messages);
	const system = parsed
		.filter(({ role }) => role === "system")
		.map(({ content }) => contentText(content));
	const made: vscode.LanguageModelChatMessage[] = [];
	let results: vscode.LanguageModelToolResultPart[] = [];
	const flush = (): void => {
		if (results.length > 0) {
			made.push(User(results));
			results = [];
		}
	};
	for (const { role, content, tool_call_id: callId, tool_calls: calls = [] } of parsed) {
		const text = contentText(content);
		if (role === "tool") {
			const value = [new vscode.LanguageModelTextPart(text)];
			results.push(new vscode.LanguageModelToolResultPart(callId ?? "", value));
			continue;
		}
		flush();
		if (role === "assistant") {
			made.push(
				Assistant([
					...(text === "" ? [] : [new vscode.LanguageModelTextPart(text)]),
					...calls.map(
						call =>
							new vscode.LanguageModelToolCallPart(
								call.id,
								call.function.name,
								objectIn(call.function.arguments),
							),
					),
				]),
			);
		} else if (role !== "system") {
			const whole = [...system.splice(0), text].join("\n\n");
			const images = imagesOf(content);
			made.push(
				User(images.length > 0 ? [new vscode.LanguageModelTextPart(whole), ...images] : whole),
			);
		}
	}
	flush();
	return system.length > 0 ? [User(system.join("\n\n")), ...made] : made;
}

type Content = z.infer<typeof messageSchema>["content"];

/** Whether these messages contain images. */
export function hasImages(messages: EditorModelRequest["messages"]): boolean {
	return messages.some(({ content }) => z.array(z.unknown()).safeParse(content).success);
}

function contentText(content: Content): string {
	return Array.isArray(content)
		? content.map(part => (part.type === "text" ? part.text : "")).join("")
		: (content ?? "");
}

function imagesOf(content: Content): vscode.LanguageModelDataPart[] {
	const parts = Array.isArray(content) ? content : [];
	return parts.flatMap(part => {
		const [head = "", base64] = part.type === "image_url" ? part.image_url.url.split(",") : [];
		const type = /image\/[a-z]+/.exec(head)?.[0];
		return base64 !== undefined && type !== undefined
			? [vscode.LanguageModelDataPart.image(Buffer.from(base64, "base64"), type)]
			: [];
	});
}

function objectIn(json: string): object {
	// Invalid arguments were reported to the model before; the editor accepts objects only.
	return z.looseObject({}).safeParse(parseJson(json)).data ?? {};
}

const toolSchema = z.object({
	function: z.object({
		name: z.string(),
		description: z.optional(z.string()),
		parameters: z.optional(z.looseObject({})),
	}),
});
const namedChoiceSchema = z.object({ function: z.object({ name: z.string() }) });

/** Converts a request's tools for the editor's models. A required tool is passed alone, because the editor can require only a single tool. */
export function editorTools({ tools = [], tool_choice: choice }: EditorModelRequest): {
	readonly tools: readonly vscode.LanguageModelChatTool[];
	readonly toolMode: vscode.LanguageModelChatToolMode;
} {
	const all = z.array(toolSchema).parse(tools);
	const named = namedChoiceSchema.safeParse(choice).data?.function.name;
	const offered = named === undefined ? all : all.filter(tool => tool.function.name === named);
	const mustCall = offered.length === 1 && (named !== undefined || choice === "required");
	const { Required, Auto } = vscode.LanguageModelChatToolMode;
	return {
		tools: offered.map(({ function: { name, description = "", parameters } }) => ({
			name,
			description,
			...(parameters === undefined ? {} : { inputSchema: parameters }),
		})),
		toolMode: mustCall ? Required : Auto,
	};
}
