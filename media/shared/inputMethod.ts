/**
 * Whether a key belongs to an input method: while it composes, and when it ends a composition, which Safari tells after the end, by the
 * code 229 alone (UI Events §5.5).
 */
export function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
	return isComposing || keyCode === 229;
}
