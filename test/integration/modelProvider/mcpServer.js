/** An MCP server over standard input and output, of which each tool is one way a server's tool answers. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod/mini";

const pixel =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const server = new McpServer({ name: process.argv[2] ?? "fake", version: "1" });

/** Adds a tool; VS Code asks by itself about one that isn't `readOnly`. */
function add(name, description, answer, inputSchema = {}, readOnlyHint = true) {
	const annotations = { readOnlyHint };
	server.registerTool(name, { description, inputSchema, annotations }, async input => ({
		content: [await answer(input)],
	}));
}

const text = content => ({ type: "text", text: content });

add("echo", "Says what it is told.", input => text(`Echo: ${input.text}`), { text: z.string() });
add("picture", "Returns a picture of one pixel.", () => ({
	type: "image",
	data: pixel,
	mimeType: "image/png",
}));
add("flood", "Returns a million characters.", () => text("0123456789".repeat(100_000)));
add("fail", "Always fails.", () => {
	throw new Error("The shop is closed.");
});
add("wait", "Never answers.", () => new Promise(() => {}));
add("book", "Books a table.", ({ seats }) => text(`Booked: ${seats}`), { seats: z.int() }, false);

await server.connect(new StdioServerTransport());
