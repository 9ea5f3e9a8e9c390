/**
 * Whether a key event belongs to an input method: during a composition, and at its end, which Safari reports afterwards with key code 229 only (UI
 * Events §5.5).
 */
export function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
	return isComposing || keyCode === 229;
}
