/** Replaces the package `linkify-it` in the bundle. The parser creates an instance but, with `linkify` off, never calls it. */
export function LinkifyIt(): void {}
