import type { ProseFace } from "../fonts/bundledFaces.ts";
import type { FaceStyle, NamedFont } from "../fonts/codeFonts.ts";
import type { FontMetrics } from "../layout/fontMetrics.ts";
import type { MachineFonts } from "./svgText.ts";

/** The fonts of prose: the regular one with those for its missing letters, and its other faces. */
export class ProseFonts {
	private readonly sans: FontMetrics;
	private readonly faces: Readonly<Record<ProseFace, readonly NamedFont[]>>;
	private readonly machine: MachineFonts | undefined;

	constructor(
		sans: FontMetrics,
		faces: Readonly<Record<ProseFace, readonly NamedFont[]>>,
		machine: MachineFonts | undefined,
	) {
		this.sans = sans;
		this.faces = faces;
		this.machine = machine;
	}

	/** Returns the width of a text in em, in the face of a style where that has its letters. */
	widthOf(text: string, style: FaceStyle): number {
		const faces = this.facesOf(style);
		const clusters = faces.length === 0 ? undefined : this.machine?.clustersOf(text);
		if (faces.length === 0 || clusters) {
			return this.sans.widthOf(text);
		}
		return [...text].reduce((sum, letter) => sum + this.letterWidth(letter, faces), 0);
	}

	/** Returns the fonts for drawing text of a style. */
	ofStyle(style: FaceStyle): MachineFonts | undefined {
		const faces = this.facesOf(style);
		if (faces.length === 0) {
			return this.machine;
		}
		return {
			familyOf: letter => faceWith(letter, faces)?.family ?? this.machine?.familyOf(letter),
			widthOf: letter => this.letterWidth(letter, faces),
			clustersOf: line => this.machine?.clustersOf(line),
			faceOf: letter => faceWith(letter, faces)?.face,
		};
	}

	private letterWidth(letter: string, faces: readonly NamedFont[]): number {
		return (faceWith(letter, faces)?.metrics ?? this.sans).widthOf(letter);
	}

	/** Bold words have no italic face. */
	private facesOf({ isBold, isItalic }: FaceStyle): readonly NamedFont[] {
		return isBold ? this.faces.bold : isItalic ? this.faces.italic : [];
	}
}

function faceWith(letter: string, faces: readonly NamedFont[]): NamedFont | undefined {
	return faces.find(({ metrics }) => metrics.covers(letter.codePointAt(0) ?? 0));
}
