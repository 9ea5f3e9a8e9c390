/** An MCP server over standard input and output, one message of JSON per line. @see https://modelcontextprotocol.io/specification */
const { createInterface } = require("node:readline");

const text = { type: "string" };
const readOnly = { readOnlyHint: true };
const tools = [
	{
		name: "echo",
		description: "Says what it is told.",
		inputSchema: { type: "object", properties: { text }, required: ["text"] },
		annotations: readOnly,
	},
	{
		name: "picture",
		description: "Returns a picture of one pixel.",
		inputSchema: { type: "object", properties: {} },
		annotations: readOnly,
	},
];

const pixel =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const results = {
	initialize: ({ protocolVersion }) => ({
		protocolVersion,
		capabilities: { tools: {} },
		serverInfo: { name: "fake", version: "1" },
	}),
	ping: () => ({}),
	"tools/list": () => ({ tools }),
	"tools/call": ({ name, arguments: input }) => ({
		content: [
			name === "echo"
				? { type: "text", text: `Echo: ${input.text}` }
				: { type: "image", data: pixel, mimeType: "image/png" },
		],
	}),
};

createInterface({ input: process.stdin }).on("line", line => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) {
		return;
	}
	const answer = Object.hasOwn(results, method)
		? { result: results[method](params ?? {}) }
		: { error: { code: -32601, message: "No such method" } };
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
