import type { Clock } from "../common/async.ts";
import { isAbortError } from "../common/errors.ts";
import { runInThread } from "../common/threadTask.ts";
import { escapeMarkdown } from "../common/plainMarkdown.ts";
import { directNetwork, type NetworkSetup } from "../client/transport/transport.ts";
import { cutPage } from "../localService/base/limits.ts";
import { setNetwork } from "../localService/base/network.ts";
import {
	createPublicRequest,
	type NetworkOptions,
	type PublicAnswer,
	PublicFetchError,
} from "../localService/base/publicFetch.ts";
import * as z from "zod/mini";

export interface BrowsingOptions extends NetworkOptions {
	/** The bundle of `worker.ts`. */
	readonly workerFile: URL | string;
	/** Proxy and certificate settings, read for each page. Defaults to no proxies. */
	readonly network?: () => NetworkSetup;
	/** Time limit for loading, in milliseconds; 10 s by default. */
	readonly timeoutMs?: number;
	/** Size limit in bytes; 2 MB by default. */
	readonly maxBytes?: number;
}

/** A page as Markdown without active content, formatting or links, or the redirect target `to`. */
export type WebPage = PageText | { readonly to: string };

/** Loads a page in the extension host, without following redirects. The tool gate checks every URL first. Throws `PublicFetchError` with a message for the user, or `AbortError`. */
export type ReadPage = (url: string, signal: AbortSignal) => Promise<WebPage>;

/** Extracting the text of 2 MB takes less than a second. Stops on pages designed to take forever. */
const extractTimeoutMs = 10_000;

/** Creates a loader for public pages, limited to 10 s and 2 MB by default. docs/security.md. */
export function createPageReader(options: BrowsingOptions, clock: Clock): ReadPage {
	const load = createPublicRequest({
		timeoutMs: 10_000,
		maxBytes: 2 * 1024 * 1024,
		...options,
		clock,
		noun: "page",
		accept: "text/html, application/xhtml+xml, text/plain, application/json;q=0.9, text/*;q=0.8",
	});
	return async (url, signal) => {
		setNetwork(options.network?.() ?? directNetwork);
		const answer = await load(url, signal);
		return "to" in answer
			? answer
			: await pageText(answer, threadPage(url), options.workerFile, clock, signal);
	};
}

/**
 * What a page of an issue, pull request or discussion, on GitHub or a GitHub Enterprise server, shows: the conversation, or something else such as
 * the changed files.
 */
export type ThreadPage = "conversation" | "other";

/** Returns undefined for the URL of any other page. */
function threadPage(url: string): ThreadPage | undefined {
	const [found, tab] =
		/^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:issues|pull|discussions)\/\d+(\/\w)?/.exec(url) ?? [];
	return found === undefined ? undefined : tab === undefined ? "conversation" : "other";
}

async function pageText(
	answer: PublicAnswer,
	thread: ThreadPage | undefined,
	workerFile: URL | string,
	clock: Clock,
	signal: AbortSignal,
): Promise<PageText> {
	const type = answer.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
	const text = decode(answer);
	const isMarkup = /^(?:text\/html|application\/xhtml\+xml)$/.test(type);
	if (isMarkup || (type === "" && /^\s*<(?:!doctype|html)/i.test(text))) {
		return await extractInThread({ html: text, thread }, workerFile, clock, signal);
	}
	if (type === "" || /^text\/|[/+](?:json|xml|yaml|javascript)$/.test(type)) {
		return { title: "", text: cutPage(escapeMarkdown(text)) };
	}
	throw new PublicFetchError(`The page is of the type ${type.slice(0, 80)}, which is no text.`);
}

/** Decodes by the header's charset, the page's own, or UTF-8. @see https://html.spec.whatwg.org/#determining-the-character-encoding */
function decode({ bytes, contentType }: PublicAnswer): string {
	const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
	const named =
		/charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ??
		/<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
	try {
		return new TextDecoder(named ?? "utf-8").decode(bytes);
	} catch {
		// For an unknown charset, UTF-8 is still mostly right.
		return new TextDecoder().decode(bytes);
	}
}

/** Extracts text in a thread, because a page may be designed to take long. */
async function extractInThread(
	page: PageSource,
	workerFile: URL | string,
	clock: Clock,
	signal: AbortSignal,
): Promise<PageText> {
	const task = { workerFile, name: "cutaway-reader", data: page, result: pageTextSchema, env: {} };
	try {
		return await runInThread(
			{ ...task, timeoutMs: extractTimeoutMs, maxHeapMb: 256 },
			clock,
			signal,
		);
	} catch (error) {
		throw isAbortError(error)
			? error
			: new PublicFetchError("The page's text could not be made out.");
	}
}

/** Input of the reading thread. */
export interface PageSource {
	readonly html: string;
	/** What to read of the page of an issue or pull request; of another page, the main article is read. */
	readonly thread: ThreadPage | undefined;
}

/** Result of the reading thread: Markdown without active content. */
export const pageTextSchema = z.object({ title: z.string(), text: z.string() });
export type PageText = z.infer<typeof pageTextSchema>;
