/** Width of a picture in pixels: sharp on a card of a narrow side bar, and a few kilobytes. */
const width = 320;

/** From which share of its length on a clip shows its end: one of the local service rests there for 30 % at least. */
export const restsFrom = 0.8;

/** Quality of the picture's compression, 0 to 1. */
const quality = 0.8;

/**
 * The frame that a video shows now as a small picture: the `data:` address of a WebP. Undefined when there is no frame or the
 * browser does not give it away.
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
