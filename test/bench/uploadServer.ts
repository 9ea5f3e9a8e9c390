/**
 * Takes uploads and throws their bytes away, in a process of its own, so that a benchmark measures the sender alone. Every
 * upload gets an id. Prints its port.
 */
import { createServer } from "node:http";

let uploads = 0;
const server = createServer((request, response) => {
	request.resume();
	request.on("end", () => {
		uploads += 1;
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify({ file_id: `file-${uploads}` }));
	});
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	console.log(typeof address === "object" && address ? address.port : 0);
});
// Ends with the process that started it.
process.stdin.resume().on("end", () => process.exit());
