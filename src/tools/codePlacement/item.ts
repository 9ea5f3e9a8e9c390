import type { Declaration } from "./reader.ts";

/** A range of lines, counted from 0; `end` is exclusive. */
export interface Region {
	readonly first: number;
	readonly end: number;
}

/** A part of a text: a declaration, an import, a statement, a separate comment, or a mark of omitted code. */
export interface Item extends Region {
	/** The line after its comments and decorators. */
	readonly head: number;
	readonly type: "code" | "comment" | "elision" | "import";
	readonly declaration: Declaration | undefined;
	/** The lines between its first and last. */
	readonly body: Region | undefined;
	readonly parent: Item | undefined;
	/** How many clauses a function consists of. */
	readonly clauses?: number;
}
