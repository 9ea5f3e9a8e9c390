/** A failure with a message for the model and the user. Contains no file content and no path outside the workspace. */
export class ToolFailure extends Error {
	override readonly name = "ToolFailure";
	/** Whether the call may succeed after the user has reviewed the current state. */
	readonly isStale: boolean;

	constructor(sentence: string, isStale = false) {
		super(sentence);
		this.isStale = isStale;
	}
}
