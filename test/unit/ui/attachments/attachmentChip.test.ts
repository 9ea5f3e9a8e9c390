import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeState } from "../../../../media/chat/composer/attachmentChips.ts";
import { type Clock, systemClock } from "../../../../src/common/async.ts";
import type { AttachmentView } from "../../../../src/shared/attachments.ts";
import { attachmentsView } from "../../../../src/ui/attachments/attachmentView.ts";
import { makeAttachmentBench } from "../../../helpers/attachmentBench.ts";
import { connectionTo } from "../../../helpers/clientHarness.ts";
import { chunk, jsonReply, reply, streamHead } from "../../../helpers/httpScripts.ts";
import {
	fin,
	reset,
	type Script,
	send,
	stall,
	startScriptedServer,
	type Step,
} from "../../../helpers/scriptedServer.ts";

vi.mock("vscode", () => ({}));

/** One answer of a service to an upload, and what the chip makes of it. */
interface Row {
	readonly id: string;
	readonly what: string;
	/** What the service does with every connection until the last try. */
	readonly steps: readonly Step[];
	/** What the chip says. */
	readonly words: string;
	/** What the chip quotes of the service. */
	readonly quote?: string;
	/** How often it is tried before the chip says so; 1 when nothing is given. */
	readonly tries?: number;
	/** Whether the chip warns that another try may be charged. */
	readonly mayBeCharged?: boolean;
	/** How many times faster than the machine's clock its waits go; 50 when nothing is given. */
	readonly haste?: number;
}

const taken = { steps: [jsonReply(200, { success: true, file_id: "file-1" })] };
const html = { "content-type": "text/html" };
const signIn = "<html><title>Sign in</title></html>";
const serviceError = { error: { message: "Said the service" } };

const status = (code: number): Step => jsonReply(code, serviceError);
const slowDown = (retryAfter?: string): readonly Step[] => [
	jsonReply(429, serviceError, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
];
const flood: Step = async (socket, signal) => {
	while (!signal.aborted && !socket.destroyed) {
		await send("x".repeat(65_536))(socket, signal);
	}
};

const quoted = { quote: "Said the service" };
const doubtful = { mayBeCharged: true };
const busy = { ...quoted, words: "Too many requests" };

const rows: readonly Row[] = [
	{
		id: "N5",
		what: "407",
		steps: [reply(407, signIn, html)],
		words: "The proxy requires a sign-in",
	},
	{ id: "N6", what: "a reset", steps: [reset], words: "connection broke", ...doubtful },
	{ id: "N6", what: "a close", steps: [fin], words: "connection broke", ...doubtful },
	{
		id: "N8",
		what: "silence",
		steps: [stall],
		words: "didn't answer in time",
		...doubtful,
		haste: 1e3,
	},
	{
		id: "N9",
		what: "a redirect",
		words: "Not followed, to protect your key",
		steps: [reply(307, "", { location: "https://elsewhere.example/v1/files" })],
	},
	{ id: "N10", what: "a page to sign in", steps: [reply(200, signIn, html)], words: "web page" },
	{ id: "H1", what: "400", steps: [status(400)], words: "rejected the request (400)", ...quoted },
	{ id: "H2", what: "401", steps: [status(401)], words: "The key wasn't accepted", ...quoted },
	{ id: "H3", what: "403", steps: [status(403)], words: "Not allowed for this key", ...quoted },
	{
		id: "H4",
		what: "404",
		steps: [status(404)],
		words: "accepts no files at this address",
		...quoted,
	},
	...[408, 409, 425].map(code => ({
		id: "H5",
		what: `${code}`,
		steps: [status(code)],
		...quoted,
		words: "couldn't accept the request now",
	})),
	{ id: "H6", what: "413", steps: [status(413)], words: "This file is too large", ...quoted },
	{ id: "H7", what: "422", steps: [status(422)], words: "rejected the request (422)", ...quoted },
	{ id: "H8", what: "429, wait 1 s", steps: slowDown("1"), tries: 3, ...busy },
	{
		id: "H8",
		what: "429, wait 5 min",
		steps: slowDown("300"),
		...busy,
		words: "asks you to wait 5 min",
	},
	...[
		undefined,
		"soon",
		"-5",
		"NaN",
		"0.5",
		"99999999999999999999",
		"Mon, 01 Jan 2024 00:00:00 GMT",
	].map(header => ({
		id: "H9",
		what: `429, wait ${header}`,
		steps: slowDown(header),
		tries: 3,
		...busy,
	})),
	{ id: "H10", what: "500", steps: [status(500)], words: "failed (500)", ...quoted, ...doubtful },
	...[502, 504].map(code => ({
		id: "H11",
		what: `${code}`,
		steps: [status(code)],
		words: `failed (${code})`,
		...quoted,
		...doubtful,
	})),
	{ id: "H12", what: "503", steps: [status(503)], words: "is busy", ...quoted, ...doubtful },
	{ id: "H13", what: "a page, 404", steps: [reply(404, signIn, html)], words: "web page" },
	{
		id: "H13",
		what: "a page, 502",
		steps: [reply(502, signIn, html)],
		words: "web page",
		...doubtful,
	},
	{
		id: "H14",
		what: "success: false",
		words: "rejected the request",
		quote: "Full (E1)",
		steps: [
			jsonReply(200, {
				success: false,
				message: "Full",
				code: "E1",
			}),
		],
	},
	{
		id: "H15",
		what: "JSON without an id",
		steps: [jsonReply(200, { success: true })],
		words: "Couldn't read the answer",
		...doubtful,
	},
	...["application/json", "text/event-stream", ""].map(type => ({
		id: "H16",
		what: `a refusal as «${type}»`,
		words: "rejected the request",
		quote: "Full",
		steps: [
			jsonReply(
				200,
				{
					success: false,
					message: "Full",
				},
				{ "content-type": type },
			),
		],
	})),
	{
		id: "H17",
		what: "frames in place of JSON",
		words: "Couldn't read the answer",
		...doubtful,
		steps: [streamHead(), chunk('data: {"file_id":"f"}\n\n'), send("0\r\n\r\n")],
	},
	{
		id: "H18",
		what: "204",
		words: "Empty answer",
		...doubtful,
		steps: [send("HTTP/1.1 204 No Content\r\n\r\n")],
	},
	{ id: "H18", what: "no bytes", steps: [reply(200, "")], words: "Empty answer", ...doubtful },
	{
		id: "H19",
		what: "gzip that is none",
		words: "connection broke",
		...doubtful,
		steps: [reply(200, '{"file_id":"f"}', { "content-encoding": "gzip" })],
	},
	{
		id: "H19",
		what: "a bad chunk",
		words: "connection broke",
		...doubtful,
		steps: [streamHead({ "content-type": "application/json" }), chunk('{"fi'), send("xyz\r\n")],
	},
	{
		id: "H19",
		what: "half a body",
		words: "connection broke",
		...doubtful,
		steps: [send("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), reset],
	},
	{
		id: "H20",
		what: "endless headers",
		words: "too large",
		...doubtful,
		steps: [
			send("HTTP/1.1 200 OK\r\n"),
			send(`x-flood: ${"x".repeat(1e3)}\r\n`.repeat(200)),
			stall,
		],
	},
	{
		id: "H20",
		what: "an endless body",
		words: "too large",
		...doubtful,
		steps: [send("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"), flood],
	},
];

/** A clock that goes faster than the machine's. */
const hasty = (haste: number): Clock => ({
	now: () => systemClock.now(),
	monotonic: () => systemClock.monotonic() * haste,
	setTimer: (ms, callback) => systemClock.setTimer(ms / haste, callback),
});

/** A chip of one file, over a connection that may lead elsewhere with every try. */
async function makeChip(address: () => string, haste = 50) {
	const { tray, write, add } = await makeAttachmentBench({
		connection: () => Promise.resolve(connectionTo(address(), { network: "direct" })),
		clock: hasty(haste),
	});
	await add(await write("data.csv", "a,b\n1,2\n"));
	const surroundings = {
		modelWithTools: null,
		maySeeImages: false,
		isSending: false,
		selection: undefined,
		canOpen: () => false,
	};
	const chip = (): AttachmentView => {
		const [item] = attachmentsView(tray, surroundings).items;
		if (!item) {
			throw new Error("The chip is gone");
		}
		return item;
	};
	return { tray, chip };
}

async function serve(...scripts: readonly Script[]) {
	const server = await startScriptedServer(scripts);
	onTestFinished(() => server.close());
	return server;
}

function expectFailed(
	chip: AttachmentView,
	{ words, quote, mayBeCharged = false }: Pick<Row, "words" | "quote" | "mayBeCharged">,
): void {
	expect(describeState(chip)).toContain(words);
	expect(describeState(chip).includes("charged")).toBe(mayBeCharged);
	expect(chip.state).toMatchObject({
		type: "failed",
		canRetry: true,
		mayBeCharged,
		serviceMessage: quote ?? null,
	});
}

test.each(rows)(
	"$id: after $what the chip says so and offers Retry, which brings the file there",
	async row => {
		const { tries = 1, steps, haste } = row;
		const server = await serve(...Array.from({ length: tries }, () => ({ steps })), taken);
		const { tray, chip } = await makeChip(() => server.url, haste);
		const waits = new Set<string>();
		tray.onDidChange(() => waits.add(describeState(chip())));
		expect((await tray.prepare()).type).toBe("blocked");
		expectFailed(chip(), row);
		expect(server.posts).toBe(tries);
		expect(waits.has("Waiting to retry")).toBe(tries > 1);
		await tray.retry(chip().id);
		expect(describeState(chip())).toBe("Uploaded");
		expect(server.posts).toBe(tries + 1);
	},
);

test.each([
	{ id: "H15", what: "plain JSON", steps: taken.steps },
	...["text/plain", "text/html", "application/octet-stream", ""].map(type => ({
		id: "H17",
		what: `JSON as «${type}»`,
		steps: [jsonReply(200, { file_id: "file-1" }, { "content-type": type })],
	})),
])("$id: $what with an id is an upload that succeeded", async ({ steps }) => {
	const server = await serve({ steps });
	const { tray, chip } = await makeChip(() => server.url);
	expect((await tray.prepare()).type).toBe("prepared");
	expect(describeState(chip())).toBe("Uploaded");
});

const tls = {
	key: readFileSync(new URL("../../../fixtures/tls/selfSigned.key.pem", import.meta.url), "utf8"),
	cert: readFileSync(new URL("../../../fixtures/tls/selfSigned.cert.pem", import.meta.url), "utf8"),
};

async function addressOfNobody(): Promise<string> {
	const server = await startScriptedServer([]);
	await server.close();
	return server.url;
}

async function addressOfStranger(): Promise<string> {
	const server = await startScriptedServer(taken, { tls });
	onTestFinished(() => server.close());
	return server.url;
}

test.each([
	{ id: "N1", where: addressOfNobody, words: "Nothing was sent" },
	{
		id: "N2",
		where: () => Promise.resolve("https://cutaway.invalid"),
		words: "was not found. Check it and your network. Nothing was sent",
	},
	{ id: "N3", where: addressOfStranger, words: "No secure connection" },
])(
	"$id: nothing is sent, the chip says so, and Retry goes where the settings lead by then",
	async row => {
		const server = await serve(taken);
		let address = await row.where();
		const { tray, chip } = await makeChip(() => address);
		expect((await tray.prepare()).type).toBe("blocked");
		expectFailed(chip(), row);
		address = server.url;
		await tray.retry(chip().id);
		expect(describeState(chip())).toBe("Uploaded");
		expect(server.posts).toBe(1);
	},
);
