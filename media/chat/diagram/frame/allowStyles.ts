/**
 * Lets the library style what it measures under a policy that forbids attributes `style` and sheets without a nonce: attributes become
 * properties, and sheets get the nonce of the frame's own script.
 */
export function allowStyles(script: HTMLOrSVGElement | null): void {
	const nonce = script?.nonce ?? "";
	for (const name of ["createElement", "createElementNS"] as const) {
		const create: (...args: never[]) => unknown = Document.prototype[name];
		Object.defineProperty(Document.prototype, name, {
			value: function (this: Document, ...args: readonly unknown[]): unknown {
				const element: unknown = Reflect.apply(create, this, args);
				if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) {
					element.nonce = nonce;
				}
				return element;
			},
		});
	}
	const { setAttribute } = Element.prototype;
	Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
		if (name === "style" && (this instanceof HTMLElement || this instanceof SVGElement)) {
			this.style.cssText = value;
		} else {
			setAttribute.call(this, name, value);
		}
	};
}
