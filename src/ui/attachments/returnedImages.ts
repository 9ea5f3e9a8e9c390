import type { ReturnedImage } from "../../attachments/attachment/attachmentTray.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";

/** The most images to keep for chats that aren't shown. */
const maxAside = 16;

/** Images that tools returned. They are attached only while the chat that called is shown. */
export class ReturnedImages {
	private readonly tray: Pick<AttachmentTray, "attachments" | "addBytes" | "remove">;
	private shownChat: string | undefined;
	private attached = new Map<string, ReturnedImage>();
	private aside: readonly ReturnedImage[] = [];

	constructor(tray: ReturnedImages["tray"]) {
		this.tray = tray;
	}

	/** Attaches an image, or keeps it until its chat is shown. Returns whether there was room. */
	add(image: ReturnedImage): boolean {
		if (image.chatId !== this.shownChat) {
			this.aside = [...this.aside, image].slice(-maxAside);
			return true;
		}
		const id = this.tray.addBytes(image);
		if (id !== undefined) {
			this.attached.set(id, image);
		}
		return id !== undefined;
	}

	/** Removes the images of other chats from the message, and attaches those of this one. */
	show(chatId: string): void {
		if (chatId === this.shownChat) {
			return;
		}
		this.shownChat = chatId;
		const ids = new Set(this.tray.attachments.map(({ id }) => id));
		const taken = [...this.attached].filter(([id]) => ids.has(id));
		const images = [...this.aside, ...taken.map(([, image]) => image)];
		this.attached = new Map();
		this.aside = [];
		this.tray.remove(taken.map(([id]) => id));
		images.forEach(image => this.add(image));
	}
}
