/** The alphabets into which the bundled fonts are split. Their characters don't overlap. */
export const fontAlphabets = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"] as const;

/** Faces of the bundled font of code besides the regular one. */
export const codeFaces = ["bold", "italic", "boldItalic"] as const;
export type CodeFace = (typeof codeFaces)[number];

/** Returns the family of a face's file, as long as the font's own name. */
export function faceFamily(face: CodeFace, alphabet: (typeof fontAlphabets)[number]): string {
	return `JetBrains ${codeFaces.indexOf(face)}of${fontAlphabets.indexOf(alphabet)}`;
}
