import type { IncomingMessage } from "node:http";
import * as z from "zod/mini";
import { throwIfAborted } from "../../common/async.ts";
import type { KnownModelFile } from "../../common/knownModelFiles.ts";
import type { HubModel, PullFailure } from "../../common/modelSetup.ts";
import { readWhole } from "../base/limits.ts";
import { sendRequest } from "../base/network.ts";

/** A download failed in a way that an immediate retry wouldn't help. */
export class HubError extends Error {
	override readonly name = "HubError";
	readonly failure: PullFailure;

	constructor(reason: PullFailure["reason"], words = "") {
		super(`${reason}: ${words}`);
		this.failure = { reason, words };
	}
}

/** A file on the hub at a commit. */
export interface HubFile {
	/** Its URL at that commit. */
	readonly url: URL;
	readonly sizeBytes: number;
	/** SHA-256 of the whole file, in hexadecimal. Absent if nobody names it and the user agreed to a file that can't be checked. */
	readonly sha256: string | undefined;
	/** Absent if a mirror names none. The file then is that of the branch. */
	readonly commit: string | undefined;
}

/** How long the hub itself may take to name a file's hash while a mirror is used, in milliseconds. */
const originMs = 5_000;

const maxRedirects = 5;
/** How long a server may be silent, in milliseconds. */
const silenceMs = 60_000;
/** Storage hosts that the hub and its mirrors redirect to. */
const storageHosts = /(?:^|\.)(?:hf\.co|huggingface\.co)$/;

/**
 * Requests a file's size from a hub, and whose hash counts: one in the source, else that of the hub itself, else that of the mirror in its place.
 * Rejects with `HubError` if they differ, or if there is none, unless `isUnchecked`, and like `resolveFile`.
 */
export async function resolveChecked(
	{ hub, origin }: { readonly hub: string; readonly origin: string },
	model: Pick<HubModel, "repository" | "file">,
	known: KnownModelFile | undefined,
	signal: AbortSignal,
	isUnchecked = false,
): Promise<HubFile> {
	const isMirror = new URL(hub).origin !== new URL(origin).origin;
	const [found, original] = await Promise.all([
		resolveFile(hub, model, signal, known?.commit),
		isMirror && !known ? resolveAtOrigin(origin, model, signal) : undefined,
	]);
	const expected = known?.sha256 ?? original?.sha256;
	const sha256 = found.sha256 ?? expected;
	if (sha256 === undefined && !isUnchecked) {
		throw new HubError("unchecked");
	}
	if (expected !== undefined && expected !== sha256) {
		throw new HubError("otherHash", new URL(origin).host);
	}
	return { ...found, sha256 };
}

/** Resolves to undefined if the hub itself doesn't answer, as where only the mirror can be reached. */
async function resolveAtOrigin(
	origin: string,
	model: Pick<HubModel, "repository" | "file">,
	signal: AbortSignal,
): Promise<HubFile | undefined> {
	const within = AbortSignal.any([signal, AbortSignal.timeout(originMs)]);
	return await resolveFile(origin, model, within).catch(() => undefined);
}

/** Requests a file's commit, size and hash from a hub. Rejects with `HubError`, the network's error, or `AbortError`. */
export async function resolveFile(
	hub: string,
	{ repository, file }: Pick<HubModel, "repository" | "file">,
	signal: AbortSignal,
	revision = "main",
): Promise<HubFile> {
	const addressAt = (version: string): URL =>
		new URL(`${hub.replace(/\/+$/, "")}/${repository}/resolve/${version}/${file}`);
	const answer = await ask(
		addressAt(revision),
		"HEAD",
		{},
		signal,
		({ headers }) => headers["x-linked-etag"] !== undefined,
	);
	answer.destroy();
	const { headers } = answer;
	const commit = /^[0-9a-f]{40}$/.exec(headerText(headers["x-repo-commit"]))?.[0];
	// Mirrors that keep files themselves name the hash as the file's own tag.
	const tag = hashIn(headers["x-linked-etag"]) ?? hashIn(headers.etag);
	const size = Number(
		headerText(headers["x-linked-size"]) || headerText(headers["content-length"]),
	);
	const list = new URL(`${hub.replace(/\/+$/, "")}/api/models/${repository}/tree/${revision}`);
	const listed = tag === undefined ? await listedFile(list, file, signal) : undefined;
	const sizeBytes = size > 0 ? size : (listed?.size ?? 0);
	if (!(sizeBytes > 0)) {
		throw new HubError("refused", `${answer.statusCode}, without the file's size`);
	}
	return { url: addressAt(commit ?? revision), sizeBytes, sha256: tag ?? listed?.lfs.oid, commit };
}

const listedSchema = z.object({
	path: z.string(),
	size: z.number(),
	lfs: z.object({ oid: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
});
/** The longest listing of a repository to read, in bytes. */
const maxListBytes = 4 * 1024 * 1024;

/** Returns a file's size and hash in the listing of its repository. Resolves to undefined if the hub has none. */
async function listedFile(
	url: URL,
	file: string,
	signal: AbortSignal,
): Promise<z.infer<typeof listedSchema> | undefined> {
	try {
		const answer = await ask(url, "GET", {}, signal, () => false);
		const body = await readWhole(answer, maxListBytes);
		const list = z.array(z.unknown()).parse(JSON.parse(body.toString()));
		return list
			.map(entry => listedSchema.safeParse(entry).data)
			.find(entry => entry?.path === file);
	} catch {
		throwIfAborted(signal);
		// Not every mirror lists its files.
		return undefined;
	}
}

function hashIn(tag: string | readonly string[] | undefined): string | undefined {
	return /^(?:W\/)?"?(?:sha256:)?([0-9a-f]{64})"?$/i.exec(headerText(tag))?.[1]?.toLowerCase();
}

/** Requests the size of a file with a known hash. Rejects like `resolveFile`. */
export async function resolveListedFile(
	url: URL,
	sha256: string,
	signal: AbortSignal,
): Promise<HubFile> {
	const answer = await ask(url, "HEAD", { "accept-encoding": "identity" }, signal, () => false);
	answer.destroy();
	const sizeBytes = Number(headerText(answer.headers["content-length"]));
	if (!(sizeBytes > 0)) {
		throw new HubError("refused", `${answer.statusCode}, without the file's size`);
	}
	return { url, sizeBytes, sha256, commit: undefined };
}

/**
 * Requests a file from an offset. `etag` is that of the partial file, so that a changed file is sent as a whole. Resolves to the response with an
 * unread body. Rejects like `resolveFile`.
 */
export function openFile(
	{ url }: HubFile,
	from: number,
	etag: string | undefined,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const headers = {
		"accept-encoding": "identity",
		...(from > 0 ? { range: `bytes=${from}-` } : {}),
		...(from > 0 && etag !== undefined ? { "if-range": etag } : {}),
	};
	return ask(url, "GET", headers, signal, () => false);
}

/** Follows redirects within the hub and its storage until a response isn't a redirect or `isEnough`. */
async function ask(
	start: URL,
	method: "GET" | "HEAD",
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
	isEnough: (answer: IncomingMessage) => boolean,
): Promise<IncomingMessage> {
	let url = start;
	for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
		const answer = await send(url, method, headers, signal);
		const status = answer.statusCode ?? 0;
		const to = headerText(answer.headers.location);
		if (isEnough(answer)) {
			return answer;
		}
		if (status < 300 || status >= 400 || to === "") {
			check(answer, status);
			return answer;
		}
		answer.destroy();
		url = within(start, URL.parse(to, url.href));
	}
	throw new HubError("refused", "it redirects without end");
}

function within(start: URL, to: URL | null): URL {
	const isSafe = to?.protocol === "https:" || to?.protocol === start.protocol;
	if (!to || !isSafe || !(to.host === start.host || storageHosts.test(to.hostname))) {
		throw new HubError("elsewhere", to?.host ?? "");
	}
	return to;
}

function check(answer: IncomingMessage, status: number): void {
	const isPage = headerText(answer.headers["content-type"]).startsWith("text/html");
	if (status === 416 || ((status === 200 || status === 206) && !isPage)) {
		return;
	}
	answer.destroy();
	if (status === 404 || status === 410) {
		throw new HubError("unknownModel");
	}
	if (status >= 500 || status === 429) {
		throw new Error(`the server answered ${status}`);
	}
	throw new HubError("refused", isPage ? `${status}, a web page` : String(status));
}

function send(
	url: URL,
	method: "GET" | "HEAD",
	headers: Readonly<Record<string, string>>,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	throwIfAborted(signal);
	return new Promise((resolve, reject) => {
		const sent = sendRequest(
			url,
			{ method, headers: { ...headers }, signal, timeout: silenceMs },
			resolve,
		);
		sent.on("timeout", () => sent.destroy(new Error("the server was silent for a minute")));
		sent.on("error", reject);
		sent.end();
	});
}

function headerText(header: string | readonly string[] | undefined): string {
	return typeof header === "string" ? header : "";
}
