/** Stands in for the package `linkify-it` in the bundle: the parser makes one and, with `linkify` off, never asks it. */
export function LinkifyIt(): void {}
