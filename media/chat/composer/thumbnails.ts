/** Side of a picture in a pill, in pixels: sharp on a screen of two for each of CSS. */
const side = 40;

/**
 * Draws the images of pills that have just come, one after the other and each once. Only the small picture is kept; an image that
 * the host does not give, or the browser can't read, leaves its pill the icon.
 */
export async function drawThumbnails(
	root: HTMLElement,
	load: (id: string) => Promise<string | null>,
): Promise<void> {
	const fresh = [
		...root.querySelectorAll<HTMLCanvasElement>("canvas[data-image]:not([data-asked])"),
	];
	for (const canvas of fresh) {
		canvas.dataset["asked"] = "";
	}
	for (const canvas of fresh) {
		const base64 = canvas.isConnected ? await load(canvas.dataset["image"] ?? "") : null;
		if (base64 !== null) {
			await draw(canvas, base64);
		}
	}
}

async function draw(canvas: HTMLCanvasElement, base64: string): Promise<void> {
	const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
	try {
		const picture = await createImageBitmap(new Blob([bytes]));
		const part = Math.min(picture.width, picture.height);
		canvas.width = canvas.height = side;
		canvas
			.getContext("2d")
			?.drawImage(
				picture,
				...[(picture.width - part) / 2, (picture.height - part) / 2, part, part, 0, 0, side, side],
			);
		picture.close();
		canvas.hidden = false;
		canvas.dataset["drawn"] = "";
	} catch (error) {
		if (!(error instanceof DOMException)) {
			throw error;
		}
	}
}
