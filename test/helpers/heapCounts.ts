import { getHeapSnapshot } from "node:v8";
import * as z from "zod/mini";

/** The parts of V8's snapshot that are read; the rest is left alone. */
const snapshotSchema = z.object({
	snapshot: z.object({
		meta: z.object({
			node_fields: z.array(z.string()),
			node_types: z.tuple([z.array(z.string())], z.unknown()),
		}),
	}),
	nodes: z.custom<readonly number[]>(Array.isArray),
	strings: z.custom<readonly string[]>(Array.isArray),
});

/**
 * How many values of each kind are alive in this process after a collection: objects by the name of their class, and by
 * V8's own word `closure`, `string`, and `concatenated string` for a text that is still in the pieces it came in.
 */
export async function heapCounts(): Promise<ReadonlyMap<string, number>> {
	const parts: string[] = [];
	for await (const part of getHeapSnapshot()) {
		parts.push(String(part));
	}
	const { snapshot, nodes, strings } = snapshotSchema.parse(JSON.parse(parts.join("")));
	const { node_fields: fields, node_types: types } = snapshot.meta;
	const [typeAt, nameAt] = [fields.indexOf("type"), fields.indexOf("name")];
	const counts = new Map<string, number>();
	for (let node = 0; node < nodes.length; node += fields.length) {
		const type = types[0][nodes[node + typeAt] ?? 0] ?? "";
		const name = strings[nodes[node + nameAt] ?? 0] ?? "";
		const kind = type === "object" ? name : type;
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	return counts;
}
