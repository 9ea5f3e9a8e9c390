import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	type ChatOptions,
	maxSystemPromptLength,
	modelIdSchema,
	type RequestParameter,
	requestParameters,
	systemPromptSchema,
} from "../../chat/log/chatMeta.ts";
import { locale } from "../../shared/locale.ts";
import type {
	ChatSettingFault,
	ChatSettingName,
	ChatSettingsView,
	ChatSettingValues,
} from "../../shared/slash.ts";
import { readExtraParameters } from "../../chat/extraParameters.ts";
import { type ChatSettings, composerView } from "./chatSettings.ts";
import type { Settings } from "../base/settings.ts";

export function chatSettingsView(settings: ChatSettings): ChatSettingsView {
	const prompts = settings.get("chat.systemPrompts");
	return {
		chatId: settings.chatId,
		values: valuesOf(settings, settings.systemPrompt()),
		defaults: valuesOf(settings.defaults, settings.defaultSystemPrompt()),
		models: composerView(settings).models,
		library: Object.entries(prompts).map(([name, text]) => ({ name, text })),
		maxSystemPrompt: maxSystemPromptLength,
	};
}

/** Parses the form's values. Returns the options that differ from the settings, or the faults. */
export function readChatSettings(
	values: ChatSettingValues,
	settings: Pick<ChatSettings, "options" | "defaults" | "defaultSystemPrompt">,
): { readonly options: ChatOptions } | { readonly faults: ChatSettingFault[] } {
	const faults: ChatSettingFault[] = [];
	const refuse = (name: ChatSettingName, sentence: string): undefined => {
		faults.push({ name, sentence });
		return undefined;
	};
	const model = z.safeParse(modelIdSchema, values.model);
	const modelId = model.success
		? model.data
		: refuse("model", l10n.t("A model id must have 1 to 200 characters."));
	const systemPrompt = z.safeParse(systemPromptSchema, values.systemPrompt);
	if (!systemPrompt.success) {
		const most = maxSystemPromptLength.toLocaleString(locale());
		refuse("systemPrompt", l10n.t("Use at most {0} characters.", most));
	}
	const extra = readExtraParameters(values.extraParameters);
	const extraParameters =
		extra.type === "read" ? extra.parameters : refuse("extraParameters", extra.sentence);
	const numbers = requestParameters.map(({ option, schema }) => {
		const parsed = z.safeParse(schema, numberOf(values[option]));
		return [option, parsed.success ? parsed.data : refuse(option, rangeOf(option))] as const;
	});
	if (faults.length > 0) {
		return { faults };
	}
	const { serverTools, projectInstructions } = settings.options;
	const own: ChatOptions = {
		...(projectInstructions === undefined ? {} : { projectInstructions }),
		...(serverTools ? { serverTools } : {}),
		...(modelId === undefined ? {} : { model: modelId }),
		...Object.fromEntries(numbers),
		...(extraParameters ? { extraParameters: { ...extraParameters } } : {}),
		systemPrompt: values.systemPrompt.trim() === "" ? "" : values.systemPrompt,
	};
	const usual = valuesOf(settings.defaults, settings.defaultSystemPrompt());
	return { options: withoutDefaults(own, usual) };
}

/** Removes values equal to the settings, so that they follow changes; the model stays the chat's own. */
function withoutDefaults(own: ChatOptions, usual: ChatSettingValues): ChatOptions {
	const entries = Object.entries(own).filter(([name, value]) => {
		const parameter = requestParameters.find(({ option }) => option === name);
		if (parameter) {
			return numberText(typeof value === "number" ? value : null) !== usual[parameter.option];
		}
		switch (name) {
			case "extraParameters":
				return JSON.stringify(value) !== JSON.stringify(parametersOf(usual.extraParameters));
			case "systemPrompt":
				return value !== usual.systemPrompt;
			default:
				return true;
		}
	});
	return Object.fromEntries(entries);
}

function parametersOf(text: string): unknown {
	return text === "" ? {} : JSON.parse(text);
}

function valuesOf(settings: Settings, systemPrompt: string): ChatSettingValues {
	const extra = settings.get("chat.extraParameters");
	return {
		systemPrompt,
		model: settings.get("chat.model"),
		temperature: numberText(settings.get("chat.temperature")),
		topP: numberText(settings.get("chat.topP")),
		maxTokens: numberText(settings.get("chat.maxTokens")),
		extraParameters: Object.keys(extra).length === 0 ? "" : JSON.stringify(extra, undefined, 2),
	};
}

function numberText(value: number | null): string {
	return value === null ? "" : String(value);
}

/** Parses a number with a decimal point or comma. Returns null for empty text, NaN if it is invalid. */
function numberOf(text: string): number | null {
	const plain = text.trim().replace(",", ".");
	if (plain === "") {
		return null;
	}
	return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

function rangeOf(name: RequestParameter["option"]): string {
	const ranges: Record<RequestParameter["option"], string> = {
		temperature: l10n.t("Temperature must be a number from 0 to 2, or empty."),
		topP: l10n.t("Top P must be a number from 0 to 1, or empty."),
		maxTokens: l10n.t("Max tokens must be a whole number of at least 1, or empty."),
	};
	return ranges[name];
}
