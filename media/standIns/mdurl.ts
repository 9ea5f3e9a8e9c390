/** Replaces the package `mdurl` in the bundle. `markdown/elements/safeLink.ts` validates URLs instead. */
const keep = (text: string): string => text;

export { keep as decode, keep as encode, keep as format, keep as parse };
