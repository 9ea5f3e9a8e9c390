/** The alphabets into which the bundled fonts are split. Their characters don't overlap. */
export const fontAlphabets = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"] as const;

/** Faces of the bundled font of code besides the regular one. */
export const codeFaces = ["bold", "italic", "boldItalic"] as const;
export type CodeFace = (typeof codeFaces)[number];

/** Faces of the bundled font of prose besides the regular one. */
export const proseFaces = ["bold", "italic"] as const;
export type ProseFace = (typeof proseFaces)[number];

/** The bundled fonts, by the names of their files. */
export type BundledFont = "Inter" | "JetBrainsMono";

/** The bundled fonts' own families, and what follows these in the names of faces. */
const families: Readonly<Record<BundledFont, string>> = {
	Inter: "Inter",
	JetBrainsMono: "JetBrains Mono",
};
const furtherNames: Readonly<Partial<Record<CodeFace, string>>> = { bold: " SemiBold" };

/** Returns the family's own name and as long a one for a face's file, which takes its place in the file. */
export function faceNames(
	font: BundledFont,
	face: CodeFace,
	alphabet: (typeof fontAlphabets)[number],
): readonly [own: string, other: string] {
	const own = families[font];
	const start = own.slice(0, own.length - 4);
	return [own, `${start}${codeFaces.indexOf(face)}of${fontAlphabets.indexOf(alphabet)}`];
}

/** Returns the family of a face's file. */
export function faceFamily(
	font: BundledFont,
	face: CodeFace,
	alphabet: (typeof fontAlphabets)[number],
): string {
	const [, name] = faceNames(font, face, alphabet);
	return font === "Inter" ? `${name}${furtherNames[face] ?? ""}` : name;
}
