/** Size of a thumbnail in a pill, in pixels, for a device pixel ratio of 2. */
const side = 40;

/**
 * Renders the images of new pills, one by one and once each. Keeps only the thumbnail. If an image isn't available or can't be decoded, its pill
 * keeps the icon.
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
				(picture.width - part) / 2,
				(picture.height - part) / 2,
				part,
				part,
				0,
				0,
				side,
				side,
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
