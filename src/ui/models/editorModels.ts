import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { type Clock, delay, throwIfAborted, untilAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	editorServerName,
	type EditorModelFailure,
	type EditorModelPart,
	type EditorModelRequest,
	type EditorModels,
	type ModelInfo,
	requestNumbers,
} from "../../common/modelSetup.ts";
import { editorMessages, editorTools, hasImages } from "./editorMessages.ts";
import type { StoredValue } from "../base/keptValue.ts";
import { providersIn } from "./allowedProviders.ts";

interface EditorModelDependencies {
	readonly allowed: StoredValue;
	readonly log: Log;
}

/** Capabilities that the editor provides at runtime, but not in its types. */
const abilitiesSchema = z.object({
	capabilities: z.object({
		supportsToolCalling: z.optional(z.union([z.boolean(), z.number()])),
		supportsImageToText: z.optional(z.boolean()),
	}),
});

/** How long a provider may take to list its models, in milliseconds. */
const listMs = 3_000;

/** Lists the editor's models, from any extension. Empty if that takes more than 3 s. Sends no requests to models. */
export async function listEditorModels(clock: Clock): Promise<readonly ModelInfo[]> {
	const models = await Promise.race([
		vscode.lm.selectChatModels(),
		delay(listMs, undefined, clock).then(() => []),
	]);
	return models.map(model => {
		const abilities = abilitiesOf(model);
		return {
			id: `${editorServerName}/${model.vendor}/${model.id}`,
			label: model.name,
			server: model.vendor,
			maxContextLength: model.maxInputTokens,
			tools: hasTools(model),
			vision: abilities?.supportsImageToText,
		};
	});
}

function abilitiesOf(model: unknown): z.infer<typeof abilitiesSchema>["capabilities"] | undefined {
	return abilitiesSchema.safeParse(model).data?.capabilities;
}

/** Assumes tool support if a model doesn't specify it. */
function hasTools(model: unknown): boolean {
	const tools = abilitiesOf(model)?.supportsToolCalling;
	return tools !== false && tools !== 0;
}

/** Creates access to the editor's models. Asks for consent once before the first prompt to a provider. */
export function createEditorModels(dependencies: EditorModelDependencies): EditorModels {
	return {
		answer: async (request, onPart, signal) => {
			const stopper = new vscode.CancellationTokenSource();
			const onAbort = (): void => stopper.cancel();
			signal.addEventListener("abort", onAbort, { once: true });
			try {
				throwIfAborted(signal);
				return await answer(dependencies, request, onPart, { signal, token: stopper.token });
			} catch (error) {
				throwIfAborted(signal);
				if (isAbortError(error)) {
					throw error;
				}
				dependencies.log.warn("A model of the editor failed", {
					model: request.model,
					error: `${toError(error).name}: ${toError(error).message}`,
				});
				return editorModelFailure(error, request.model);
			} finally {
				signal.removeEventListener("abort", onAbort);
				stopper.dispose();
			}
		},
	};
}

interface Stop {
	readonly signal: AbortSignal;
	readonly token: vscode.CancellationToken;
}

async function answer(
	{ allowed }: EditorModelDependencies,
	request: EditorModelRequest,
	onPart: (part: EditorModelPart) => void,
	{ signal, token }: Stop,
): Promise<EditorModelFailure | undefined> {
	const slash = request.model.indexOf("/");
	const [vendor, id] = [request.model.slice(0, slash), request.model.slice(slash + 1)];
	const [model] = await untilAborted(
		Promise.resolve(vscode.lm.selectChatModels({ vendor, id })),
		signal,
	);
	if (!model) {
		return { reason: "gone", words: goneWords(request.model) };
	}
	const tools = editorTools(request);
	if (tools.tools.length > 0 && !hasTools(model)) {
		return { reason: "noTools", words: l10n.t("{0} can't use tools.", model.name) };
	}
	if (hasImages(request.messages) && abilitiesOf(model)?.supportsImageToText === false) {
		return { reason: "noImages", words: l10n.t("{0} can't see images.", model.name) };
	}
	if (!(await untilAborted(isAllowed(allowed, model), signal))) {
		const words = l10n.t(
			"Nothing was sent: you haven't allowed messages to {0}. Send again to be asked again.",
			vendor,
		);
		return { reason: "notAllowed", words };
	}
	const chosen = requestNumbers.map(name => [name, request[name]] as const);
	const response = await model.sendRequest(
		[...editorMessages(request.messages)],
		{
			justification: l10n.t("Cutaway sends the chat's messages to the model you chose."),
			modelOptions: Object.fromEntries(chosen.filter(([, value]) => value !== undefined)),
			...(tools.tools.length > 0 ? { ...tools, tools: [...tools.tools] } : {}),
		},
		token,
	);
	onPart({ type: "context", tokens: model.maxInputTokens });
	for await (const part of response.stream) {
		throwIfAborted(signal);
		const read = readPart(part);
		if (read) {
			onPart(read);
		}
	}
	throwIfAborted(signal);
	return undefined;
}

/** A thinking part, which the editor's types don't have. */
const thinkingSchema = z.object({ value: z.union([z.string(), z.array(z.string())]) });

/** Converts a part of an answer. Returns undefined for data and unknown parts. */
function readPart(part: unknown): EditorModelPart | undefined {
	if (part instanceof vscode.LanguageModelTextPart) {
		return { type: "text", text: part.value };
	}
	if (part instanceof vscode.LanguageModelToolCallPart) {
		const { callId, name, input } = part;
		return { type: "call", id: callId, name, arguments: JSON.stringify(input) };
	}
	const value = thinkingSchema.safeParse(part).data?.value;
	const text = typeof value === "string" ? value : (value ?? []).join("");
	return text === "" ? undefined : { type: "thinking", text };
}

/** Whether the user allowed messages to the model's provider. Asks if unknown. */
async function isAllowed(
	memory: StoredValue,
	{ vendor, name }: vscode.LanguageModelChat,
): Promise<boolean> {
	const known = providersIn(memory);
	if (known.includes(vendor)) {
		return true;
	}
	const allow = l10n.t("Allow");
	const asking = vscode.window.showInformationMessage(
		l10n.t("Send this chat's messages to {0} of {1}?", name, vendor),
		{
			modal: true,
			detail: l10n.t(
				"The provider receives the messages, files and tool results of chats that this provider's models answer, and may charge for them. Cutaway asks once for each provider.",
			),
		},
		allow,
	);
	// If the prompt can't be shown, consent isn't given.
	const choice = await asking.then(undefined, () => undefined);
	if (choice === allow) {
		memory.set([...providersIn(memory), vendor]);
	}
	return choice === allow;
}

function editorModelFailure(error: unknown, model: string): EditorModelFailure {
	const { name, message } = toError(error);
	const code = error instanceof vscode.LanguageModelError ? error.code : "";
	switch (true) {
		case code === "NotFound":
			return { reason: "gone", words: goneWords(model) };
		case code === "NoPermissions":
			return {
				reason: "notAllowed",
				words: l10n.t("VS Code didn't allow Cutaway to use this model: {0}", message),
			};
		case code === "Blocked":
			return {
				reason: "blocked",
				words: l10n.t("The model's provider blocked this: {0}", message),
			};
		case /QuotaExceeded/.test(name + code):
			return { reason: "quota", words: l10n.t("The provider's quota is used up: {0}", message) };
		case /RateLimited/.test(name + code):
			return { reason: "rate", words: l10n.t("The provider is limiting requests: {0}", message) };
		default:
			return { reason: "failed", words: message };
	}
}

function goneWords(model: string): string {
	return l10n.t(
		"VS Code no longer has the model {0}. Choose another, or enable the extension that provides it.",
		model,
	);
}
