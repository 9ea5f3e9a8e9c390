import { codeTools } from "./codeTools.ts";
import { editTools } from "./editTools.ts";
import { lookTools } from "./lookTools.ts";
import { userTools } from "./userTools.ts";
import type { Tool } from "../tool/index.ts";

/** Every tool there is, by its exact name. None runs a terminal or a command of the editor. */
export interface ToolRegistry {
	readonly tools: readonly Tool[];
	/** The tool of exactly this name; nothing is matched by likeness (row U6). */
	find(name: string): Tool | undefined;
}

/** Makes the registry. Throws `RangeError` when two tools share a name. */
export function createToolRegistry(
	tools: readonly Tool[] = [...lookTools, ...codeTools, ...editTools, ...userTools],
): ToolRegistry {
	const byName = new Map(tools.map(tool => [tool.name, tool]));
	if (byName.size < tools.length) {
		throw new RangeError("Two tools have the same name");
	}
	return { tools, find: name => byName.get(name) };
}
