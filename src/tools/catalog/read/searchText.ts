import { Worker } from "node:worker_threads";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { type Clock, throwIfAborted, untilAborted } from "../../../common/async.ts";
import type { IDisposable } from "../../../common/disposable.ts";
import { ToolFailure } from "../../../common/errors.ts";
import { maskSecrets } from "../../../common/secretContent.ts";
import type { PathTarget } from "../../../paths/resolveTarget.ts";
import { cutResult, globSchema, readableText, withLeftOut } from "../../contract/resultText.ts";
import { oneLine } from "../../../common/shortText.ts";
import { defineTool, type ToolDependencies } from "../../contract/tool.ts";

interface SearchQuery {
	readonly query: string;
	readonly isRegularExpression: boolean;
	readonly isCaseSensitive: boolean;
	readonly glob: string;
}

const maxSearchMs = 10_000;
const maxHits = 1000;
const maxSearchLength = 256 * 1024;
const maxSearchedFiles = 20_000;

/** Finds the matching lines of a text, as pairs of line number and line. */
type Finder = IDisposable & { find(text: string): Promise<readonly (readonly [number, string])[]> };

export const searchText = defineTool({
	name: "search_text",
	title: () => l10n.t("Search the files"),
	description:
		"Searches the files of the workspace for text, or for a JavaScript regular expression applied line by line. Returns path, line number and line of each hit, at most 1000. Files the user excluded, files Git ignores and files that may hold secrets are left out.",
	effect: "read",
	schema: z.strictObject({
		query: z.string().check(z.minLength(1), z.maxLength(500)),
		isRegularExpression: z.optional(z.boolean()),
		isCaseSensitive: z.optional(z.boolean()),
		glob: z.optional(globSchema),
	}),
	plan: ({ query, isRegularExpression, isCaseSensitive, glob }) => ({
		summary: l10n.t("Search for “{0}”", oneLine(query, 80)),
		run: context =>
			searchFiles(context, {
				query,
				isRegularExpression: isRegularExpression ?? false,
				isCaseSensitive: isCaseSensitive ?? false,
				glob: glob ?? "**/*",
			}),
	}),
});

/** Searches the files that match a glob, and reports if the result is truncated. Throws `ToolFailure` for an invalid expression. */
async function searchFiles(dependencies: ToolDependencies, query: SearchQuery): Promise<string> {
	const { editor, clock, signal } = dependencies;
	const paths = await editor.listFiles(query.glob, maxSearchedFiles, signal);
	const deadline = clock.monotonic() + maxSearchMs;
	const finder = createFinder(query, deadline, dependencies);
	const hits: string[] = [];
	const searched = new Set<string>();
	let length = 0;
	let left = 0;
	let cut = paths.length >= maxSearchedFiles ? `only ${maxSearchedFiles} files searched` : "";
	try {
		for (const path of paths) {
			throwIfAborted(signal);
			if (clock.monotonic() > deadline) {
				cut = "10 seconds were over";
				break;
			}
			// Skips files that require approval, because a search doesn't ask.
			const target = dependencies.tellable(path);
			if (target && searched.has(target.path)) {
				continue;
			}
			searched.add(target?.path ?? path);
			left += target === undefined ? 1 : 0;
			const found = target ? await hitsIn(dependencies, target, finder) : [];
			hits.push(...found.slice(0, maxHits - hits.length));
			length += found.reduce((sum, hit) => sum + hit.length + 1, 0);
			if (hits.length >= maxHits || length > maxSearchLength) {
				cut = hits.length >= maxHits ? `${maxHits} hits` : "256 KiB";
				break;
			}
		}
	} catch (error) {
		if (!(error instanceof SearchTimeout)) {
			throw error;
		}
		cut = "10 seconds were over";
	} finally {
		finder.dispose();
	}
	const note = cut === "" ? "" : `\n[cut at: ${cut}]`;
	const text = hits.length === 0 ? "Nothing was found." : hits.join("\n");
	return withLeftOut(`${cutResult(text, maxSearchLength)}${note}`, left);
}

async function hitsIn(
	dependencies: ToolDependencies,
	target: PathTarget,
	finder: Finder,
): Promise<string[]> {
	if (target.kind !== "file") {
		return [];
	}
	const text = await readableText(dependencies.editor, target);
	const lines = text === undefined ? [] : await findUnmasked(finder, text);
	return lines.map(([number, line]) => `${target.label}:${number}: ${oneLine(line)}`);
}

/** Searches a text with its secrets masked. Otherwise queries could guess a secret character by character. */
async function findUnmasked(
	finder: Finder,
	text: string,
): Promise<readonly (readonly [number, string])[]> {
	const lines = await finder.find(text);
	const masked = lines.length === 0 ? text : maskSecrets(text);
	return masked === text ? lines : finder.find(masked);
}

class SearchTimeout extends Error {}

function createFinder(
	query: SearchQuery,
	deadline: number,
	dependencies: ToolDependencies,
): Finder {
	return query.isRegularExpression
		? new ExpressionFinder(query, deadline, dependencies)
		: literalFinder(query);
}

function literalFinder({ query, isCaseSensitive }: SearchQuery): Finder {
	const fold = (text: string): string => {
		const composed = text.normalize("NFC");
		return isCaseSensitive ? composed : composed.toLowerCase();
	};
	const wanted = fold(query);
	return {
		find: async text => {
			if (!fold(text).includes(wanted)) {
				return [];
			}
			return text
				.split(/\r\n|\n/)
				.map((line, index) => [index + 1, line] as const)
				.filter(([, line]) => fold(line).includes(wanted));
		},
		dispose: () => undefined,
	};
}

/** Runs in its own thread, because an expression may run forever and only a thread can be terminated. */
const workerSource = `
const { parentPort, workerData } = require("node:worker_threads");
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on("message", text => {
	const found = [];
	text.split(/\\r\\n|\\n/).some((line, index) => {
		if (expression.test(line)) found.push([index + 1, line.slice(0, 1000)]);
		return found.length >= workerData.maxHits;
	});
	parentPort.postMessage(found);
});
`;

class ExpressionFinder implements Finder {
	private readonly deadline: number;
	private readonly clock: Clock;
	private readonly signal: AbortSignal;
	private readonly worker: Worker;

	constructor(query: SearchQuery, deadline: number, { clock, signal }: ToolDependencies) {
		this.deadline = deadline;
		this.clock = clock;
		this.signal = signal;
		const flags = query.isCaseSensitive ? "" : "i";
		this.worker = new Worker(workerSource, {
			eval: true,
			workerData: { source: checkExpression(query.query, flags).source, flags, maxHits },
			resourceLimits: { maxOldGenerationSizeMb: 256 },
		});
		this.worker.unref();
	}

	find(text: string): ReturnType<Finder["find"]> {
		const { clock, signal, worker } = this;
		const { promise, resolve, reject } = Promise.withResolvers<[number, string][]>();
		const onError = (): void => reject(new ToolFailure("The search failed on this expression."));
		const left = this.deadline - clock.monotonic();
		const timer = clock.setTimer(left, () => reject(new SearchTimeout()));
		worker.once("message", resolve);
		worker.once("error", onError);
		worker.postMessage(text);
		return untilAborted(promise, signal).finally(() => {
			timer.dispose();
			worker.off("message", resolve);
			worker.off("error", onError);
		});
	}

	dispose(): void {
		void this.worker.terminate();
	}
}

function checkExpression(source: string, flags: string): RegExp {
	try {
		// Not tested here: even an empty text can make an expression run forever.
		return new RegExp(source, flags);
	} catch {
		throw new ToolFailure("The regular expression cannot be read.");
	}
}
