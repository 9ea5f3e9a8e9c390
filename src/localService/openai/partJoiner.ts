import type { ThoughtPiece } from "./thoughts.ts";

/** Parts of an answer until they are taken; texts that follow each other are joined, so that what came together goes on together. */
export class PartJoiner<Other extends { readonly type: "end" }> {
	private readonly parts: (ThoughtPiece | Other)[] = [];
	private type: "text" | "thinking" = "text";
	private text = "";

	push(part: ThoughtPiece | Other): void {
		if (part.type !== this.type) {
			this.release();
		}
		if (part.type === "text" || part.type === "thinking") {
			this.type = part.type;
			this.text += part.text;
		} else {
			this.parts.push(part);
		}
	}

	take(): readonly (ThoughtPiece | Other)[] {
		this.release();
		return this.parts.splice(0);
	}

	private release(): void {
		const { type, text } = this;
		if (text !== "") {
			this.text = "";
			this.parts.push({ type, text });
		}
	}
}
