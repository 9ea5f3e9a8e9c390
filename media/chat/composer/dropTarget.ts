/** Dropped or pasted files and texts. */
export interface Dropped {
	/** URLs of files that the host can read, unverified. */
	readonly addresses: readonly string[];
	/** Files available only to this page. */
	readonly files: readonly File[];
	/** Names of folders that this page can't read. */
	readonly folders: readonly string[];
}

/** Callbacks for drops and pastes. */
export interface DropListener {
	/** Called when a drag with supported content enters or leaves the page. */
	onHover(isOver: boolean): void;
	onDrop(dropped: Dropped): void;
}

/** Data types in which VS Code and operating systems store the URLs of dragged files, most specific first. */
const addressTypes = ["application/vnd.code.uri-list", "text/uri-list", "ResourceURLs"] as const;

/**
 * Accepts files dropped on `root` or pasted into it. Without Shift, VS Code handles a drag itself as soon as it notices it: in its own window, which
 * the drag crosses, and in the page, unless the page claims the drag and stops the propagation of all its events.
 */
export function takeDrops(root: HTMLElement, listener: DropListener): void {
	/** Number of elements entered and not left, because moving between nested elements doesn't leave the page. */
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
	// The pointer doesn't move during a drag, so the drag has ended without an event.
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

/** Office programs add an image of copied text. Then the text is wanted. */
function holdsRichText({ types }: DataTransfer): boolean {
	return types.includes("text/html") && types.includes("text/plain");
}

/** Reads dropped data. Must be called during the event. */
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

/** Returns the URLs in a list of lines (RFC 2483 §5, `#` starts a comment) or in a JSON array. */
export function addressesIn(data: string): readonly string[] {
	const lines = data.trimStart().startsWith("[") ? parseArray(data) : data.split(/\r?\n/);
	return lines.map(line => line.trim()).filter(line => /^[a-z][a-z0-9+.-]*:/i.test(line));
}

function parseArray(data: string): readonly string[] {
	try {
		const value: unknown = JSON.parse(data);
		return Array.isArray(value) ? value.filter(item => typeof item === "string") : [];
	} catch {
		// An unreadable list contains no URLs.
		return [];
	}
}
