import { currentFiles, type TurnAttachment } from "../attachments/index.ts";
import type { FileReference } from "../client/index.ts";

/**
 * How a request names the files of its turns, oldest first. Names are made different where two files share one, because
 * `code_interpreter` finds them by name. Interface §2.3.
 */
export function requestFiles(attachments: readonly TurnAttachment[]): readonly FileReference[] {
	const taken = new Set<string>();
	return currentFiles(attachments).map(({ fileId, name, mimeType }) => {
		const free = freeName(name, taken);
		taken.add(free.toLowerCase());
		return { file_id: fileId, name: free, type: mimeType };
	});
}

/** `data.csv`, `data (2).csv`, `data (3).csv`, whichever is not taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
	const dot = name.lastIndexOf(".");
	const stem = dot > 0 ? name.slice(0, dot) : name;
	const ending = name.slice(stem.length);
	let free = name;
	for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
		free = `${stem} (${number})${ending}`;
	}
	return free;
}
