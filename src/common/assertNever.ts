/** Proves at compile time that every case of a union was handled; at run time it says which one was not. */
export function assertNever(value: never): never {
	throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
