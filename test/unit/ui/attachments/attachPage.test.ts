import { expect, test, vi } from "vitest";

vi.mock("vscode", () => ({}));
const { pageAddress, readPageText } = await import("../../../../src/ui/attachments/attachPage.ts");

const { signal } = new AbortController();

test.each([
	["https://example.com/a#part", "https://example.com/a"],
	["http://example.com", "http://example.com/"],
	[
		"https://github.com/a/b/issues/1?q=is%3Aopen#issuecomment-42",
		"https://github.com/a/b/issues/1?q=is%3Aopen",
	],
	["https://user:word@example.com/", undefined],
	["https://localhost/a", undefined],
	["file:///etc/passwd", undefined],
	["src/a.ts", undefined],
	[`https://example.com/${"x".repeat(2000)}`, undefined],
])("%s is asked for as %s", (text, address) => {
	expect(pageAddress(text)).toBe(address);
});

/** Pages by address; a text beginning with `https` is where one leads. */
function site(pages: Readonly<Record<string, string>>) {
	const asked: string[] = [];
	return {
		asked,
		read: (address: string) => {
			asked.push(address);
			const page = pages[address] ?? "";
			return Promise.resolve(
				/^(?:https?|file):/.test(page) ? { to: page } : { title: "T", text: page },
			);
		},
	};
}

test("a page is attached under its title with the address it was read from, redirects of its host followed", async () => {
	const { asked, read } = site({ "https://a.com/": "https://a.com/b", "https://a.com/b": "Words" });
	const mayFollow = vi.fn<() => Promise<boolean>>();
	const page = await readPageText(read, "https://a.com/", mayFollow, signal);
	expect(page).toEqual({
		name: "T",
		text: "T\nhttps://a.com/b\n\nWords",
		address: "https://a.com/b",
	});
	expect(asked).toHaveLength(2);
	expect(mayFollow).not.toHaveBeenCalled();
});

test.each([
	["ENOTFOUND", "a.com wasn't found. Check the address and your connection."],
	["ECONNREFUSED", "Can't reach a.com. Check your connection, or try again later."],
])("a page whose server answers %s is an error with a plain sentence", async (code, sentence) => {
	const cause = Object.assign(new Error(`getaddrinfo ${code} a.com`), { code });
	const read = () => Promise.reject(new Error("The page could not be loaded.", { cause }));
	await expect(
		readPageText(read, "https://a.com/", () => Promise.resolve(true), signal),
	).rejects.toThrow(sentence);
});

test("another host is asked only after a yes", async () => {
	const { asked, read } = site({ "https://a.com/": "https://b.com/?q", "https://b.com/?q": "B" });
	const answer = (yes: boolean) =>
		vi.fn<(address: string) => Promise<boolean>>().mockResolvedValue(yes);
	const no = answer(false);
	await expect(readPageText(read, "https://a.com/", no, signal)).rejects.toThrow("Cancelled");
	expect(no).toHaveBeenCalledWith("https://b.com/?q");
	expect(asked).toEqual(["https://a.com/"]);
	expect((await readPageText(read, "https://a.com/", answer(true), signal)).text).toContain("B");
});

test.each([
	["to plain http", "http://a.com/b"],
	["to a file", "file:///etc/passwd"],
	["around in a circle", "https://a.com/"],
])("a page that redirects %s is not read", async (_, to) => {
	const { read } = site({ "https://a.com/": to });
	const follow = (): Promise<boolean> => Promise.resolve(true);
	await expect(readPageText(read, "https://a.com/", follow, signal)).rejects.toThrow(
		"The page redirects",
	);
});
