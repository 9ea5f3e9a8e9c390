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

/** Every tool there is, by its exact name. None of Cutaway's runs a terminal or a command of the editor. */
export class ToolRegistry {
	/** Tools of Cutaway. */
	readonly tools: readonly Tool[];
	private readonly external: () => readonly Tool[];
	private readonly byName: ReadonlyMap<string, Tool>;

	/** Throws `RangeError` when two tools share a name. `external` lists those of others, of which one with the name of a tool here is none. */
	constructor(
		tools: readonly Tool[] = byNeed([
			...lookTools,
			...codeTools,
			...editTools,
			...userTools,
			...webTools,
		]),
		external: () => readonly Tool[] = () => [],
	) {
		this.tools = tools;
		this.external = external;
		this.byName = new Map(tools.map(tool => [tool.name, tool]));
		if (this.byName.size < tools.length) {
			throw new RangeError("Two tools have the same name");
		}
	}

	/** Tools of Cutaway, then those of others as they are now. */
	all(): readonly Tool[] {
		return [...this.tools, ...this.external().filter(({ name }) => !this.isOwn(name))];
	}

	isOwn(name: string): boolean {
		return this.byName.has(name);
	}

	/** The tool of exactly this name; nothing is matched by likeness (row U6). */
	find(name: string): Tool | undefined {
		return this.byName.get(name) ?? this.external().find(tool => tool.name === name);
	}
}
