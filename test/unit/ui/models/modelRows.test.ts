import { expect, test } from "vitest";
import {
	describeModel,
	serverTitle,
	editorRow,
	freeName,
	modelRows,
} from "../../../../src/ui/models/modelRows.ts";

const qwen = { id: "ollama/qwen3:8b", label: "qwen3:8b", server: "ollama" };
const ollama = { name: "ollama", baseUrl: "http://127.0.0.1:11434" };

test("a model says its size, whether it is loaded, its context and what it can do", () => {
	const known = { sizeBytes: 5.2e9, isLoaded: true, contextLength: 4096, maxContextLength: 32768 };
	expect(describeModel({ ...qwen, ...known, tools: true, thinking: true })).toBe(
		"5.2 GB, loaded · 4k context (up to 32k) · tools, thinking",
	);
	expect(describeModel(qwen)).toBe("");
});

test("a server that is named after its address is shown by its host, any other by its own name", () => {
	const baseUrl = "http://127.0.0.1:8081/v1";
	expect(serverTitle({ name: "127.0.0.1-8081", baseUrl })).toBe("127.0.0.1:8081");
	expect(serverTitle({ name: "desk", baseUrl })).toBe("desk");
});

test("a server that was seen and is set up already is listed once", () => {
	const listing = { server: "ollama", models: [qwen] };
	const rows = modelRows([ollama], [listing], [listing]);
	expect(rows.map(({ id, isFound }) => ({ id, isFound }))).toEqual([
		{ id: "ollama/qwen3:8b", isFound: false },
	]);
});

test("a server that was seen gets its address, and a name that none of the settings has", () => {
	const other = { name: "ollama", baseUrl: "https://ollama.example.com" };
	const rows = modelRows([other], [], [{ server: "ollama", models: [qwen] }]);
	expect(rows[0]).toMatchObject({
		id: "ollama-2/qwen3:8b",
		isFound: true,
		server: { name: "ollama-2", baseUrl: "http://127.0.0.1:11434" },
	});
});

test("a model of the editor is listed under its provider, and needs no server in the settings", () => {
	const large = { id: "vscode/acme/large", label: "Large", server: "acme", maxContextLength: 8192 };
	expect(editorRow({ ...large, tools: true })).toMatchObject({
		id: "vscode/acme/large",
		label: "Large",
		isFound: false,
		detail: "8k context · tools",
		server: { name: "acme in VS Code" },
	});
	expect(freeName("vscode", [])).toBe("vscode-2");
});
