import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { isServerModel } from "../../client/contract/schemas.ts";
import type { ServiceClient } from "../../client/contract/serviceClient.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";
import type { ServerListing } from "../../common/modelSetup.ts";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import { showText } from "../base/commands.ts";
import { isWanted, type ModelChoiceDependencies } from "./modelChoice.ts";
import { describeModel } from "./modelRows.ts";
import { modelServers } from "./serverSettings.ts";

export interface DiagnosisDependencies extends ModelChoiceDependencies {
	readonly client: ServiceClient;
	readonly clock: Clock;
}

const testPrompt = "Answer with the one word: ready";

/** Opens a report of the requests to servers and their responses. Asks before sending a test prompt. */
export async function diagnoseModels(dependencies: DiagnosisDependencies): Promise<void> {
	const { settings } = dependencies;
	const asksServers = isWanted(settings, "openai", "ollama");
	const lines = [
		`# ${l10n.t("Models")}`,
		"",
		`\`cutaway.localService.engine\`: ${settings.get("localService.engine")}`,
		"",
		...(asksServers
			? await ask(dependencies, l10n.t("Servers in the settings"), "configured")
			: []),
		...(asksServers ? await ask(dependencies, l10n.t("Found on this machine"), "found") : []),
		...(isWanted(settings, "vscode") ? await describeEditorModels(dependencies) : []),
		...(await testModel(dependencies)),
	];
	await showText("Models.md", lines.join("\n"));
}

async function ask(
	dependencies: DiagnosisDependencies,
	title: string,
	places: "configured" | "found",
): Promise<readonly string[]> {
	const { clock, settings, log } = dependencies;
	const addresses = new Map(
		modelServers(settings, log).map(({ name, baseUrl }) => [name, baseUrl]),
	);
	const start = clock.monotonic();
	const listings = await dependencies.listModels(places);
	const ms = Math.round(clock.monotonic() - start);
	return [
		`## ${title} (${ms} ms)`,
		"",
		...(listings.length === 0 ? [l10n.t("None"), ""] : []),
		...listings.flatMap(listing =>
			describeListing(listing, addresses.get(listing.server) ?? listing.baseUrl),
		),
	];
}

async function describeEditorModels({
	editorModels,
}: DiagnosisDependencies): Promise<readonly string[]> {
	const models = await editorModels();
	return [
		`## ${l10n.t("Models of VS Code")}`,
		"",
		...(models.length === 0
			? [l10n.t("None")]
			: models.map(model => `- ${model.server} · ${model.label}: ${describeModel(model) || "–"}`)),
		"",
	];
}

function describeListing(listing: ServerListing, address: string | undefined): readonly string[] {
	const heading = [listing.server, address, listing.kind].filter(part => part !== undefined);
	return [
		`### ${heading.join(" · ")}`,
		"",
		...(listing.failure === undefined ? [] : [listing.failure, ""]),
		...listing.models.map(model => `- ${model.label}: ${describeModel(model) || "–"}`),
		"",
	];
}

/** Sends the test prompt to the chat's model, if it is one of a server and the user agrees. */
async function testModel(dependencies: DiagnosisDependencies): Promise<readonly string[]> {
	const { client, clock, settings, connection } = dependencies;
	const model = settings.get("chat.model");
	if (!isServerModel(model) || connection.target().kind !== "local") {
		return [];
	}
	const send = l10n.t("Send Test Prompt");
	const choice = await vscode.window.showInformationMessage(
		l10n.t("Send a short test prompt to {0}? Its provider may charge for it.", model),
		{ modal: true },
		send,
	);
	if (choice !== send) {
		return [];
	}
	const start = clock.monotonic();
	const outcome = await answerOf(client, model).catch(failureWords);
	const ms = Math.round(clock.monotonic() - start);
	return [
		`## ${l10n.t("Test prompt")} · ${model} (${ms} ms)`,
		"",
		`> ${testPrompt}`,
		"",
		outcome,
		"",
	];
}

async function answerOf(client: ServiceClient, model: string): Promise<string> {
	const messages = [{ role: "user", content: testPrompt }];
	const answer = await client.chat({ model, messages });
	return answer.messages.map(({ content }) => content).join("\n");
}

function failureWords(error: unknown): string {
	const own = error instanceof ServiceError ? (error.serviceMessage ?? error.detail) : undefined;
	return own ?? toError(error).message;
}
