import { codeTools } from "./codeTools.ts";
import { editTools } from "./editTools.ts";
import { lookTools } from "./lookTools.ts";
import { userTools } from "./userTools.ts";
import { webTools } from "./webTools.ts";
import type { Tool } from "../tool/tool.ts";

/** Tools that a model with a small context needs most, since it is offered only the first ones; the others follow. */
const mostNeeded = [
	// Offered only where the user switched it on.
	"browsing",
	...["get_selection", "read_file", "search_text", "apply_edit", "list_files"],
	...["get_active_file", "replace_selection", "get_problems", "create_file", "insert_at_cursor"],
];

function byNeed(tools: readonly Tool[]): readonly Tool[] {
	const place = ({ name }: Tool): number => (mostNeeded.indexOf(name) + 1 || Infinity) - 1;
	return tools.toSorted((one, other) =>
		place(one) < place(other) ? -1 : Number(place(one) > place(other)),
	);
}

/** Every tool there is, by its exact name. None runs a terminal or a command of the editor. */
export class ToolRegistry {
	readonly tools: readonly Tool[];
	private readonly byName: ReadonlyMap<string, Tool>;

	/** Throws `RangeError` when two tools share a name. */
	constructor(
		tools: readonly Tool[] = byNeed([
			...lookTools,
			...codeTools,
			...editTools,
			...userTools,
			...webTools,
		]),
	) {
		this.tools = tools;
		this.byName = new Map(tools.map(tool => [tool.name, tool]));
		if (this.byName.size < tools.length) {
			throw new RangeError("Two tools have the same name");
		}
	}

	/** The tool of exactly this name; nothing is matched by likeness (row U6). */
	find(name: string): Tool | undefined {
		return this.byName.get(name);
	}
}
