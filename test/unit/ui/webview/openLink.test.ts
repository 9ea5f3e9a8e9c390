import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const openExternal = vi.fn<(uri: string) => Promise<boolean>>();
const ask =
	vi.fn<(sentence: string, options?: { readonly detail: string }) => Promise<string | undefined>>();
vi.mock("vscode", () => ({
	window: { showWarningMessage: ask },
	env: { openExternal },
	Uri: { parse: (text: string) => text },
}));
const { openLink } = await import("../../../../src/ui/webview/openLink.ts");

beforeEach(() => {
	ask.mockResolvedValue(undefined);
});

afterEach(() => {
	openExternal.mockReset();
	ask.mockReset();
});

describe("A link of an answer", () => {
	test.each([
		"https://example.com/",
		"https://code.visualstudio.com/api/references/contribution-points#contributes.configuration",
		`https://github.com/microsoft/vscode/blob/main/${"folder/".repeat(15)}file.ts#L10`,
		"https://example.com/search?q=how+to+sort+a+list",
	])("opens at once when it is an ordinary one: %s", async url => {
		await openLink(url);
		expect(ask).not.toHaveBeenCalled();
		expect(openExternal.mock.calls).toEqual([[url]]);
	});

	test.each([
		"http://example.com/",
		"javascript:alert(1)",
		"file:///etc/passwd",
		"vscode://x.y/run",
		"command:workbench.action.terminal.new",
		"data:text/html,x",
		"mailto:a@b.example",
		"https://user@example.com/",
		"https://user:word@example.com/",
		"//example.com/",
		"no link",
	])("is never opened when it is not plain https: %s", async url => {
		await openLink(url);
		expect(openExternal).not.toHaveBeenCalled();
		expect(ask.mock.calls).toEqual([["Only https links can be opened."]]);
	});

	const data = "x".repeat(4000);
	test.each([
		["query", `https://example.com/?${data}`, 4002],
		["short query", `https://example.com/?${data.slice(0, 64)}`, 66],
		["fragment", `https://example.com/#${data}`, 4002],
		["path", `https://example.com/${data}`, 4001],
		["short path", `https://example.com/${data.slice(0, 200)}`, 201],
		["host", `https://${`${data.slice(0, 60)}.`.repeat(60)}example.com/`, 3672],
		["short host", `https://${data.slice(0, 60)}.example.com/`, 73],
	])("is shown whole first when its %s carries data", async (_, url, carried) => {
		await openLink(url);
		expect(openExternal).not.toHaveBeenCalled();
		const [sentence = "", options] = ask.mock.calls[0] ?? [];
		expect(sentence).toMatch(/^Open this link to (?:…[x.]+)?[x.]*example\.com\?$/);
		expect(sentence.length).toBeLessThan(100);
		expect(options).toEqual({
			modal: true,
			detail: `It sends ${carried} characters of data to that site:\n\n${url}`,
		});
		ask.mockResolvedValue("Open");
		await openLink(url);
		expect(openExternal.mock.calls).toEqual([[url]]);
	});
});
