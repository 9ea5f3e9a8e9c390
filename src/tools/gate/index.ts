/**
 * The one gate between a model and an effect: schema, path, policy, approval, ledger.
 * In: a call as the model wrote it.
 * Out: the tool's result, or a refusal in a sentence. Nothing runs that the gate did not allow, and nothing runs twice.
 */
export type { ToolPolicy, ToolResult } from "./acceptCall.ts";
export {
	type ApprovalAnswer,
	type ApprovalRequest,
	type Approver,
	Approvals,
} from "./approvals.ts";
export { CancellableCalls } from "./cancellableCalls.ts";
export { ToolGate, type ToolGateDependencies, type ToolProgress } from "./toolGate.ts";
