/** Stands in for the package `uc.micro` in the bundle: the character classes the browser knows itself. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;
