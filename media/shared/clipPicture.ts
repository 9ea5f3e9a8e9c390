/** Width of a thumbnail in pixels: sharp on a card in a narrow side bar, and a few kilobytes. */
const width = 320;

/** Quality of the compression, 0 to 1. */
const quality = 0.8;

/**
 * Returns a video's current frame as a thumbnail: the `data:` URL of a WebP. Returns undefined if there is no frame or the browser denies access to
 * it.
 */
export function takePicture(video: HTMLVideoElement): string | undefined {
	const { videoWidth, videoHeight } = video;
	const canvas = document.createElement("canvas");
	const context = canvas.getContext("2d");
	if (!context || videoWidth === 0) {
		return undefined;
	}
	canvas.width = Math.min(width, videoWidth);
	canvas.height = Math.max(1, Math.round((canvas.width * videoHeight) / videoWidth));
	try {
		context.drawImage(video, 0, 0, canvas.width, canvas.height);
		return canvas.toDataURL("image/webp", quality);
	} catch (error) {
		if (error instanceof DOMException && error.name === "SecurityError") {
			return undefined;
		}
		throw error;
	}
}
