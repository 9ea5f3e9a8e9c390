/**
 * The tool that the service runs itself, the code interpreter, and the messages that tell of it.
 * In: a call, and the files of its conversation.
 * Out: the traces and results that a stream carries.
 */
export { bundledTools } from "./bundledTools.ts";
export {
	type OpenTools,
	type ServerTools,
	Toolbox,
	type ServerToolOptions,
} from "./serverTools.ts";
export { describeCode, describeRun, nameAsCode } from "./toolMessages.ts";
