import type { ChildProcess } from "node:child_process";

/** Ends a short-lived child when this process exits before it; a process killed outright cannot keep this promise. */
export function endWithThisProcess(child: ChildProcess): void {
	const end = (): void => {
		child.kill();
	};
	process.once("exit", end);
	child.once("close", () => process.off("exit", end));
}
