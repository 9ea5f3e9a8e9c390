/** Checks at compile time that every case of a union is handled. Throws at run time and names the unhandled value. */
export function assertNever(value: never): never {
	throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
