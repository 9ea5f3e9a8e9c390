/** Replaces the package `punycode.js` in the bundle. The browser's `URL` encodes host names. */
const keep = (text: string): string => text;

// The package has a default export, and the parser imports that.
// oxlint-disable-next-line import/no-default-export
export default { toASCII: keep, toUnicode: keep };
