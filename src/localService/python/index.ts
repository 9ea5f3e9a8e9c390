/**
 * The code interpreter: Python in a sandbox in a thread of its own.
 * In: code, and the files of a conversation.
 * Out: what it printed and the files it wrote. No network, no disk, no process.
 */
export {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type MountedFile,
	type PythonRun,
} from "./codeInterpreter.ts";
export type { WrittenFile } from "./pythonMessages.ts";
