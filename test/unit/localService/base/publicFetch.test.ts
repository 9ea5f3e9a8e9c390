import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import {
	createImageFetch,
	type ImageFetchOptions,
} from "../../../../src/localService/base/publicFetch.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

async function listen(listener: RequestListener, at = 0, host = "127.0.0.1"): Promise<number> {
	const server = createServer(listener);
	await new Promise<void>(resolve => server.listen(at, host, resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

/** Every name leads to this machine, which is allowed as if it were public. */
const here: Partial<ImageFetchOptions> = {
	resolve: async () => [{ address: "127.0.0.1", family: 4 }],
	isAllowed: address => address === "127.0.0.1",
};

const load = (url: string, options: Partial<ImageFetchOptions> = {}): Promise<Uint8Array> =>
	createImageFetch({ clock: systemClock, ...options })(url, new AbortController().signal);

test("an image is loaded whole, with no cookie, no key and no compression asked for", async () => {
	let headers: unknown;
	const port = await listen((request, response) => {
		({ headers } = request);
		response.end(Buffer.alloc(300_000, 7));
	});
	const bytes = await load(`http://pictures.example:${port}/a.png`, here);
	expect(bytes).toEqual(new Uint8Array(300_000).fill(7));
	expect(headers).toEqual({
		accept: "image/png, image/jpeg, image/webp, image/gif",
		"accept-encoding": "identity",
		"user-agent": "Cutaway",
		host: `pictures.example:${port}`,
		connection: "close",
	});
});

describe("T27: addresses of this machine and its network", () => {
	test.each([
		"http://127.0.0.1/a.png",
		"http://2130706433/a.png",
		"http://0x7f.1/a.png",
		"http://[::1]/a.png",
		"http://[::ffff:127.0.0.1]/a.png",
		"http://[::ffff:a9fe:a9fe]/a.png",
		"http://[64:ff9b::7f00:1]/a.png",
		"http://[fe80::1]/a.png",
		"http://[fd00::1]/a.png",
		"http://[2002:7f00:1::]/a.png",
		"http://169.254.169.254/latest/meta-data/",
		"http://10.0.0.1/",
		"http://192.168.1.1/",
		"http://172.31.255.255/",
		"http://100.64.0.1/",
		"http://0.0.0.0/",
		"http://localhost/",
	])("%s is refused", async url => {
		await expect(load(url)).rejects.toThrow(/address of this machine or its network/);
	});

	test("a name of which one address is private is refused", async () => {
		const resolve = async () => [
			{ address: "8.8.8.8", family: 4 },
			{ address: "127.0.0.1", family: 4 },
		];
		await expect(load("http://pictures.example/a.png", { resolve })).rejects.toThrow(/“pictures/);
	});

	test("a redirect is checked like the first address, before a byte is sent there", async () => {
		let hits = 0;
		const inner = await listen((_request, response) => {
			hits += 1;
			response.end("secret");
		});
		const port = await listen((_request, response) => {
			response.writeHead(302, { Location: `http://127.0.0.2:${inner}/` }).end();
		});
		await expect(load(`http://pictures.example:${port}/`, here)).rejects.toThrow(/“127.0.0.2”/);
		expect(hits).toBe(0);
	});

	test("a name that leads elsewhere in the meantime is loaded from the address that was checked", async () => {
		const inside = await listen((_request, response) => response.end("inside"));
		await listen((_request, response) => response.end("outside"), inside, "127.0.0.2");
		const bytes = await load(`http://localhost:${inside}/`, {
			resolve: async () => [{ address: "127.0.0.2", family: 4 }],
			isAllowed: address => address === "127.0.0.2",
		});
		expect(Buffer.from(bytes).toString()).toBe("outside");
	});

	test("a name is resolved once, and the connection goes to just that address", async () => {
		let lookups = 0;
		const port = await listen((_request, response) => response.end("x"));
		const resolve = async () => {
			lookups += 1;
			return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }];
		};
		await load(`http://rebound.example:${port}/`, { ...here, resolve });
		expect(lookups).toBe(1);
	});
});

test.each([
	"ftp://pictures.example/a",
	"file:///etc/passwd",
	"data:image/png;base64,AA",
	"nothing",
])("%s is no address to load from", async url => {
	await expect(load(url, here)).rejects.toThrow(/does not lead to http or https/);
});

test("an address that carries a password is refused without repeating it", async () => {
	const failure = load("http://me:geheim@pictures.example/", here);
	await expect(failure).rejects.toThrow(/user name or a password/);
	await expect(failure).rejects.not.toThrow(/geheim/);
});

test("a redirect within the public web is followed, a circle is not", async () => {
	const port = await listen((request, response) => {
		if (request.url === "/image") {
			response.end("pixels");
		} else {
			const to = request.url === "/start" ? "/image" : "/circle";
			response.writeHead(301, { Location: to }).end();
		}
	});
	const base = `http://pictures.example:${port}`;
	expect(Buffer.from(await load(`${base}/start`, here)).toString()).toBe("pixels");
	await expect(load(`${base}/circle`, here)).rejects.toThrow(/redirects more than 5 times/);
});

test("another status is reported", async () => {
	const port = await listen((_request, response) => response.writeHead(404).end());
	await expect(load(`http://pictures.example:${port}/`, here)).rejects.toThrow(/status 404/);
});

test.each([true, false])(
	"an image over the limit is refused, its size named: %s",
	async isNamed => {
		const port = await listen((_request, response) => {
			response.writeHead(200, isNamed ? { "Content-Length": 5000 } : {});
			response.end(Buffer.alloc(5000));
		});
		const loading = load(`http://pictures.example:${port}/`, { ...here, maxBytes: 4096 });
		await expect(loading).rejects.toThrow(/larger than 4,096 bytes/);
	},
);

test("a server that never ends is left after 10 seconds", async () => {
	const clock = createFakeClock();
	const asked = Promise.withResolvers<void>();
	const port = await listen((_request, response) => {
		response.write("a");
		asked.resolve();
	});
	const loading = load(`http://pictures.example:${port}/`, { ...here, clock });
	const outcome = expect(loading).rejects.toThrow(/did not arrive within 10 s/);
	await asked.promise;
	await clock.advance(10_000);
	await outcome;
});

test("a name whose look-up hangs is given up in time, and at once when the user stops", async () => {
	const clock = createFakeClock();
	const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	let lookups = 0;
	const resolve = (): Promise<never> => {
		asked[lookups]?.resolve();
		lookups += 1;
		return new Promise(() => undefined);
	};
	const late = expect(load("http://slow.example/", { clock, resolve })).rejects.toThrow(
		/did not arrive within 10 s/,
	);
	await asked[0]?.promise;
	await clock.advance(10_000);
	await late;
	const leaving = new AbortController();
	const fetchImage = createImageFetch({ clock, resolve });
	const stopped = expect(fetchImage("http://slow.example/", leaving.signal)).rejects.toMatchObject({
		name: "AbortError",
	});
	await asked[1]?.promise;
	leaving.abort();
	await stopped;
});

test("a server that can't be found or reached is named, without the system's code", async () => {
	const lost = Object.assign(new Error("getaddrinfo ENOTFOUND nope.example"), {
		code: "ENOTFOUND",
	});
	const failing = { clock: systemClock, resolve: () => Promise.reject(lost) };
	await expect(load("http://nope.example/a", failing)).rejects.toThrow(
		/^The image could not be loaded: there is no server “nope.example”, or no connection to the network.$/,
	);
	const port = await listen(request => request.socket.destroy());
	const broken = load(`http://pictures.example:${port}/`, here);
	await expect(broken).rejects.toThrow(/“pictures.example:\d+” could not be reached.$/);
	await expect(broken).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
	const redirecting = await listen((_request, response) => {
		response.writeHead(302, { Location: `http://elsewhere.example:${port}/` }).end();
	});
	await expect(load(`http://pictures.example:${redirecting}/`, here)).rejects.toThrow(
		/“elsewhere.example:\d+” could not be reached.$/,
	);
});

test("a connection that breaks is an error with a sentence", async () => {
	const port = await listen(request => request.socket.destroy());
	await expect(load(`http://pictures.example:${port}/`, here)).rejects.toThrow(
		/^The image could not be loaded: /,
	);
});

test("an abort ends loading at once, as an abort", async () => {
	const leaving = new AbortController();
	const port = await listen(() => leaving.abort());
	const loading = createImageFetch({ clock: systemClock, ...here })(
		`http://pictures.example:${port}/`,
		leaving.signal,
	);
	await expect(loading).rejects.toMatchObject({ name: "AbortError" });
});
