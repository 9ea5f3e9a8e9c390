/** The kind of a declaration. A declaration replaces only one of the same kind. */
export type DeclarationKind =
	| "value"
	/** Contains members that may be shown individually: classes, namespaces, test suites, sections. */
	| "group"
	/** Shown as a whole: interfaces, enums, structs without methods, style rules. */
	| "data"
	| "key"
	/** A call with a title, or a statement with its own head, such as `it("adds", …)`. */
	| "titled";

export interface Declaration {
	readonly kind: DeclarationKind;
	readonly name: string;
	/** Parameter types, in languages with overloads. */
	readonly parameters?: string;
	/** Whether it must be a member: a method without a keyword, or one with `self`. */
	readonly isMember?: boolean;
	readonly isVariable?: boolean;
}

/** Reads what a head declares. `code` is the head without strings and comments. */
export type Reader = (head: string, code: string, isInGroup: boolean) => Declaration | undefined;

/** Creates a reader for heads that match a pattern. The name is the first group, preceded by `prefix`. */
export function reader(
	pattern: RegExp,
	kind: DeclarationKind,
	prefix = "",
	more: Partial<Declaration> = {},
): Reader {
	return head => {
		const found = pattern.exec(head);
		const name = found?.slice(1).find(part => part !== undefined);
		return name === undefined
			? undefined
			: { kind, name: `${prefix}${name.replaceAll(/\s+/g, " ").trim()}`, ...more };
	};
}

export const variable = { isVariable: true };
export const member = { isMember: true };
