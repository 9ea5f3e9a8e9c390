import * as l10n from "@vscode/l10n";
import {
	editorServerName,
	embeddedServerName,
	type ModelInfo,
	type ServerListing,
} from "../../common/modelSetup.ts";
import { modelProviders } from "./modelProviders.ts";
import { formatSize } from "../base/amounts.ts";
import { type ModelServer, originOf } from "./serverSettings.ts";

export interface ModelRow {
	readonly id: string;
	readonly label: string;
	readonly server: ModelServer;
	/** Whether its server was discovered, so it is saved when the model is selected. */
	readonly isFound: boolean;
	/** Description: size, context, capabilities. */
	readonly detail: string;
	readonly isLoaded?: boolean | undefined;
	readonly sizeBytes?: number | undefined;
	/** Whether it supports tools, if known. */
	readonly tools?: boolean | undefined;
}

/** Returns a server's display name: that of its program or provider, the host it was named after, or its name in the settings. */
export function serverTitle({ name, baseUrl }: ModelServer): string {
	const program = baseUrl === "" ? undefined : programs[name];
	const provider = modelProviders.find(known => known.name === name && known.baseUrl === baseUrl);
	const { host = "" } = URL.parse(baseUrl) ?? {};
	return program ?? provider?.title ?? (nameOfHost(host) === name ? host : name);
}

/** Returns the name of a server that was entered by its address, without the characters that names don't have. */
export function nameOfHost(host: string): string {
	return host.replaceAll(/[^\w.-]/g, "-").slice(0, 36);
}

/** Names of programs, by the names given to discovered servers. */
const programs: Readonly<Record<string, string>> = { ollama: "Ollama", "lm-studio": "LM Studio" };

/** Addresses of the probed ports, by the names the local service gives them. */
const knownAddresses: Readonly<Record<string, string>> = {
	ollama: "http://127.0.0.1:11434",
	"lm-studio": "http://127.0.0.1:1234/v1",
};

/** Returns the models of configured servers, then those of servers discovered on this machine. */
export function modelRows(
	servers: readonly ModelServer[],
	configured: readonly ServerListing[],
	found: readonly ServerListing[],
): readonly ModelRow[] {
	const own = configured.flatMap(listing => {
		const server = servers.find(({ name }) => name === listing.server);
		return server ? listing.models.map(model => rowOf(model, server, false)) : [];
	});
	const others = found.flatMap(listing => {
		const baseUrl = addressOf(listing);
		if (baseUrl === undefined) {
			return [];
		}
		const server = { name: freeName(listing.server, servers), baseUrl };
		const isSetUp = servers.some(other => originOf(other) === originOf(server));
		return isSetUp ? [] : listing.models.map(model => rowOf(model, server, true));
	});
	return [...own, ...others];
}

/** Returns the row of an editor's model, which needs no server in the settings. */
export function editorRow(model: ModelInfo): ModelRow {
	const server = { name: l10n.t("{0} in VS Code", model.server), baseUrl: "" };
	return { ...model, server, isFound: false, detail: describeModel(model) };
}

/** Returns the row of a model on this machine, which needs no server in the settings. */
export function embeddedRow(model: ModelInfo): ModelRow {
	const server = { name: l10n.t("This Machine"), baseUrl: "" };
	return { ...model, server, isFound: false, detail: describeModel(model) };
}

function addressOf({ server, baseUrl }: ServerListing): string | undefined {
	const port = /^localhost-(\d+)$/.exec(server)?.[1];
	return (
		baseUrl ??
		knownAddresses[server] ??
		(port === undefined ? undefined : `http://127.0.0.1:${port}/v1`)
	);
}

/** Returns a name that no configured server has. */
export function freeName(wanted: string, servers: readonly ModelServer[]): string {
	const taken = new Set([editorServerName, embeddedServerName, ...servers.map(({ name }) => name)]);
	let name = wanted;
	for (let number = 2; taken.has(name); number += 1) {
		name = `${wanted.slice(0, 36)}-${number}`;
	}
	return name;
}

function rowOf(model: ModelInfo, server: ModelServer, isFound: boolean): ModelRow {
	const { label, isLoaded, tools } = model;
	const id = `${server.name}/${label}`;
	return { id, label, server, isFound, detail: describeModel(model), isLoaded, tools };
}

/** Describes a model in one line, such as “5.2 GB, loaded · 4k context (up to 32k) · tools, vision”. */
export function describeModel(model: ModelInfo): string {
	const size = model.sizeBytes === undefined ? [] : [formatSize(model.sizeBytes)];
	const loaded = model.isLoaded === true ? [l10n.t("loaded")] : [];
	const abilities = [
		...(model.tools === true ? [l10n.t("tools")] : []),
		...(model.vision === true ? [l10n.t("vision")] : []),
		...(model.thinking === true ? [l10n.t("thinking")] : []),
	];
	return [[...size, ...loaded].join(", "), contextWords(model), abilities.join(", ")]
		.filter(part => part !== "")
		.join(" · ");
}

function contextWords({ contextLength, maxContextLength }: ModelInfo): string {
	const length = contextLength ?? maxContextLength;
	if (length === undefined) {
		return "";
	}
	return contextLength !== undefined &&
		maxContextLength !== undefined &&
		maxContextLength > contextLength
		? l10n.t("{0} context (up to {1})", thousands(contextLength), thousands(maxContextLength))
		: l10n.t("{0} context", thousands(length));
}

/** Formats a number of tokens as model cards do: 4096 as “4k”. */
function thousands(tokens: number): string {
	return tokens < 1024 ? String(tokens) : `${Math.round(tokens / 1024)}k`;
}
