import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { throwIfAborted } from "../../common/async.ts";
import { toError, ToolFailure } from "../../common/errors.ts";
import { revealInLine } from "../../common/hiddenText.ts";
import type { ComposerView } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";
import {
	type ExternalTool,
	type ExternalToolList,
	listExternalTools,
	type ListedTool,
} from "../../tools/catalog/externalTools.ts";
import { oneLine } from "../../tools/tool/resultText.ts";
import type { ExternalRequest } from "../../tools/tool/editorActions.ts";
import type { Tool } from "../../tools/tool/tool.ts";
import type { Settings } from "../base/settings.ts";

export interface ReturnedImage {
	readonly name: string;
	readonly bytes: Uint8Array;
}

export interface ExternalToolsDependencies {
	readonly settings: Settings;
	/** Attaches an image to the next message. Throws if there is no room. */
	readonly attach: (image: ReturnedImage) => Promise<void>;
}

const maxImages = 4;

/** Tools of MCP servers and other extensions. Looks everything up at each use, because VS Code has no change event. */
export class ExternalTools {
	private readonly dependencies: ExternalToolsDependencies;
	private last: { readonly listed: readonly ListedTool[]; readonly found: ExternalToolList } = {
		listed: [],
		found: { tools: [], hidden: [] },
	};

	constructor(dependencies: ExternalToolsDependencies) {
		this.dependencies = dependencies;
	}

	/** Lists the available tools; none if the editor doesn't support them. */
	list(): ExternalToolList {
		const { lm }: Partial<typeof vscode> = vscode;
		const listed: readonly ListedTool[] = lm?.tools ?? [];
		const { last } = this;
		if (
			listed.length !== last.listed.length ||
			listed.some((tool, at) => tool !== last.listed[at])
		) {
			const extensions = extensionsByTool();
			this.last = { listed, found: listExternalTools(listed, name => extensions.get(name)) };
		}
		return this.last.found;
	}

	isChosen(name: string): boolean {
		const chosen = this.dependencies.settings.get("tools.external");
		return this.list().tools.some(tool => tool.name === name && chosen.includes(tool.listedName));
	}

	/** Calls a tool and returns its text. Attaches images to the next message. Throws `ToolFailure`. */
	async call({ name, digest, input }: ExternalRequest, signal: AbortSignal): Promise<string> {
		if (!this.list().tools.some(tool => tool.listedName === name && tool.digest === digest)) {
			throw new ToolFailure("The tool is gone or was changed. It was not called.");
		}
		const stop = new vscode.CancellationTokenSource();
		const cancel = (): void => stop.cancel();
		signal.addEventListener("abort", cancel, { once: true });
		try {
			const options = { input: Object(input), toolInvocationToken: undefined };
			const { content } = await vscode.lm.invokeTool(name, options, stop.token);
			const texts: string[] = [];
			let images = 0;
			for (const part of content) {
				const isImage =
					part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith("image/");
				images += isImage ? 1 : 0;
				texts.push(isImage ? await this.attached(part, images) : textOf(part));
			}
			return texts.join("\n");
		} catch (error) {
			throwIfAborted(signal);
			const { name: kind, message } = toError(error);
			// An error of the editor's own process comes as a plain one with this name.
			if (kind === "Canceled") {
				throw new ToolFailure(
					"The user said no to the editor's own question, or the tool itself canceled the call.",
				);
			}
			throw new ToolFailure(
				`The tool failed or couldn't be called. The reason given: ${oneLine(message, 500)}`,
			);
		} finally {
			signal.removeEventListener("abort", cancel);
			stop.dispose();
		}
	}

	/** Lets the user choose in a list grouped by server. */
	async choose(): Promise<void> {
		const { settings } = this.dependencies;
		const { tools, hidden } = this.list();
		if (tools.length + hidden.length === 0) {
			void vscode.window.showInformationMessage(
				l10n.t("No MCP server and no other extension offers tools in this window."),
			);
			return;
		}
		const chosen = settings.get("tools.external");
		const picked = await vscode.window.showQuickPick(toolItems(tools, chosen), {
			title: l10n.t("Choose Tools"),
			placeHolder:
				hidden.length === 0
					? l10n.t("Every call is shown and asks first")
					: l10n.t("Left out, because hidden characters are in them: {0}", hidden.join(", ")),
			canPickMany: true,
			matchOnDetail: true,
		});
		if (picked) {
			const listed = new Set(tools.map(({ listedName }) => listedName));
			// Keeps the choice for servers that aren't running.
			const kept = chosen.filter(name => !listed.has(name));
			await settings.set("tools.external", [
				...kept,
				...picked.flatMap(item => item.listedName ?? []),
			]);
		}
	}

	/** Returns the composer's button, if there are tools. `wanted` are all tools to offer without a limit. */
	view(wanted: readonly Tool[], offered: readonly Tool[]): Pick<ComposerView, "externalTools"> {
		const { tools, hidden } = this.list();
		if (tools.length + hidden.length === 0) {
			return {};
		}
		const isExternal = ({ effect }: Tool): boolean => effect === "external";
		const [all, some] = [wanted.filter(isExternal), offered.filter(isExternal)];
		const count = l10n.t(
			"Tools of servers and extensions: {0} of {1} chosen",
			formatCount(all.length),
			formatCount(tools.length),
		);
		const bound =
			some.length < all.length
				? l10n.t(
						"This model is offered only these: {0}",
						some.map(({ title }) => title).join(", ") || "—",
					)
				: "";
		return {
			externalTools: { isAny: all.length > 0, label: bound === "" ? count : `${count}. ${bound}` },
		};
	}

	private async attached(
		{ data, mimeType }: vscode.LanguageModelDataPart,
		number: number,
	): Promise<string> {
		const name = `image-${number}.${mimeType.slice("image/".length).replaceAll(/\W/g, "")}`;
		if (number > maxImages) {
			return `[Image left out: of one result ${maxImages} are taken.]`;
		}
		try {
			await this.dependencies.attach({ name, bytes: data });
			return `[Image ${name}: it is attached to the user's next message.]`;
		} catch {
			return "[Image left out: the next message holds no more attachments.]";
		}
	}
}

function textOf(part: unknown): string {
	if (part instanceof vscode.LanguageModelTextPart) {
		return part.value;
	}
	if (!(part instanceof vscode.LanguageModelDataPart)) {
		return "[Left out: a part that is no text.]";
	}
	return /^text\/|json$/.test(part.mimeType)
		? new TextDecoder().decode(part.data)
		: `[Left out: ${part.data.length} bytes of ${revealInLine(part.mimeType).slice(0, 60)}.]`;
}

type ToolItem = vscode.QuickPickItem & { readonly listedName?: string };

function toolItems(tools: readonly ExternalTool[], chosen: readonly string[]): ToolItem[] {
	const servers = [...Map.groupBy(tools, ({ server }) => server)];
	return servers
		.sort(([one], [other]) => one.localeCompare(other))
		.flatMap(([server, held]): ToolItem[] => [
			{ label: server, kind: vscode.QuickPickItemKind.Separator },
			...held.map(({ listedName, ownName, description }) => ({
				label: ownName,
				detail: oneLine(description),
				picked: chosen.includes(listedName),
				listedName,
			})),
		]);
}

/** Extensions whose tools are for their own agents. */
const ownOnly = /^(?:vscode\..+|github\.copilot(?:-chat)?|cutaway\.cutaway)$/i;

const bringsTools = z.object({
	displayName: z.optional(z.string()),
	contributes: z.object({ languageModelTools: z.array(z.object({ name: z.string() })) }),
});

function extensionsByTool(): ReadonlyMap<string, string> {
	return new Map(
		vscode.extensions.all.flatMap(({ id, packageJSON }) => {
			const { data } = z.safeParse(bringsTools, packageJSON);
			return data === undefined || ownOnly.test(id)
				? []
				: data.contributes.languageModelTools.map(({ name }): [string, string] => [
						name,
						data.displayName ?? id,
					]);
		}),
	);
}
