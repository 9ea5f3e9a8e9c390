import { type PathFormRefusal, pathFormMessages } from "./pathForm.ts";

/** Why a path is refused: how it is written, or where it leads; a closed list. Fault U10, docs/security.md. */
export type PathRefusal =
	| PathFormRefusal
	| "outside"
	| "unknownFolder"
	| "danglingLink"
	| "linkLoop"
	| "notRegular"
	| "notFolder"
	| "isFolder"
	| "missing"
	| "exists"
	| "unreadable";

/** Why a path was refused, for the model; `refusalWords` has it for the user. Says nothing of what exists outside the workspace (row U10). */
export const refusalMessages: Readonly<Record<PathRefusal, string>> = {
	...pathFormMessages,
	outside: "The path isn't allowed: it leads out of the workspace.",
	unknownFolder: "With several workspace folders, the path must begin with the name of one.",
	danglingLink: "The path isn't allowed: it goes through a broken link.",
	linkLoop: "The path isn't allowed: it goes through a loop of links.",
	notRegular: "The path isn't allowed: it isn't a regular file.",
	notFolder: "A part of the path is a file, not a folder.",
	isFolder: "The path is a folder; a file is needed.",
	missing: "This file doesn't exist.",
	exists: "This path already exists.",
	unreadable: "The path couldn't be checked.",
};
