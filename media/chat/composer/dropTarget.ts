/** Files and texts that were dropped or pasted. */
export interface Dropped {
	/** Addresses of files that the host can reach, as they were claimed. */
	readonly addresses: readonly string[];
	/** Files that this page alone has. */
	readonly files: readonly File[];
	/** Folders that this page cannot hand over. */
	readonly folders: readonly string[];
}

/** Who hears of drops and pastes. */
export interface DropListener {
	/** Something that could be dropped is over the page, or no longer. */
	onHover(isOver: boolean): void;
	onDrop(dropped: Dropped): void;
}

/** Where VS Code and operating systems put the addresses of what is dragged, the most telling first. */
const addressTypes = ["application/vnd.code.uri-list", "text/uri-list", "ResourceURLs"] as const;

/**
 * Takes files that are dropped anywhere on `root` or pasted into it. VS Code keeps a drag to itself once it hears of it without
 * Shift: from its own window, which the drag crosses, and from the page, unless that claims the drag and lets no event of it
 * pass on.
 */
export function takeDrops(root: HTMLElement, listener: DropListener): void {
	/** Elements the drag has entered and not left; leaving one for another inside it is no leaving of the page. */
	let depth = 0;
	const claim = (event: DragEvent): boolean => {
		const isOurs = event.dataTransfer !== null && holdsFiles(event.dataTransfer);
		if (isOurs) {
			event.preventDefault();
			event.stopPropagation();
		}
		return isOurs;
	};
	const end = (): void => {
		depth = 0;
		listener.onHover(false);
	};
	root.addEventListener("dragenter", event => {
		if (claim(event)) {
			depth++;
			listener.onHover(true);
		}
	});
	root.addEventListener("dragover", event => {
		if (claim(event) && event.dataTransfer) {
			event.dataTransfer.dropEffect = "copy";
		}
	});
	root.addEventListener("dragleave", event => {
		if (claim(event) && --depth <= 0) {
			end();
		}
	});
	root.addEventListener("drop", event => {
		if (claim(event) && event.dataTransfer) {
			listener.onDrop(readTransfer(event.dataTransfer));
		}
		end();
	});
	// While something is dragged the pointer does not move: nothing reports who took the drag away.
	root.addEventListener("pointermove", () => {
		if (depth > 0) {
			end();
		}
	});
	root.addEventListener("paste", event => {
		const pasted = event.clipboardData;
		if (pasted && pasted.files.length > 0 && !holdsRichText(pasted)) {
			event.preventDefault();
			listener.onDrop(readTransfer(pasted));
		}
	});
}

function holdsFiles({ types }: DataTransfer): boolean {
	return types.includes("Files") || addressTypes.some(type => types.includes(type));
}

/** Office programs add a picture of what was copied to its text; there the text is meant. */
function holdsRichText({ types }: DataTransfer): boolean {
	return types.includes("text/html") && types.includes("text/plain");
}

/** Reads what was dropped; it must be read before the event is over. */
function readTransfer(transfer: DataTransfer): Dropped {
	const addresses = addressTypes
		.map(type => addressesIn(transfer.getData(type)))
		.find(found => found.length > 0);
	if (addresses) {
		return { addresses, files: [], folders: [] };
	}
	const files: File[] = [];
	const folders: string[] = [];
	for (const item of transfer.items) {
		const entry = item.webkitGetAsEntry();
		const file = item.getAsFile();
		if (entry?.isDirectory) {
			folders.push(entry.name);
		} else if (file) {
			files.push(file);
		}
	}
	return { addresses: [], files, folders };
}

/** The addresses in a list of lines (RFC 2483 §5, `#` begins a comment) or in a JSON array. */
export function addressesIn(data: string): readonly string[] {
	const lines = data.trimStart().startsWith("[") ? parseArray(data) : data.split(/\r?\n/);
	return lines.map(line => line.trim()).filter(line => /^[a-z][a-z0-9+.-]*:/i.test(line));
}

function parseArray(data: string): readonly string[] {
	try {
		const value: unknown = JSON.parse(data);
		return Array.isArray(value) ? value.filter(item => typeof item === "string") : [];
	} catch {
		// A list nobody can read names nothing.
		return [];
	}
}
