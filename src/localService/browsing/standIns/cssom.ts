/** Replaces `cssom`, because style sheets aren't used. */
export const parse = (): { readonly cssRules: readonly never[] } => ({ cssRules: [] });
