import { fileURLToPath } from "node:url";
import type { ServerToolOptions } from "./serverTools.ts";

/** Returns Python's thread and files, beside a bundle of the service with the URL `import.meta.url`. */
export function bundledTools(bundleUrl: string): Required<ServerToolOptions> {
	const path = (name: string): string => fileURLToPath(new URL(`./python/${name}`, bundleUrl));
	return {
		codeInterpreter: {
			workerFile: new URL("./localPython.js", bundleUrl),
			files: {
				runtime: path("runtime.js.br"),
				wasm: path("python.wasm.br"),
				stdlib: path("stdlib.zip.br"),
			},
		},
	};
}
