/** A failure whose sentence the model and the user may read. It holds no content of a file and no path outside. */
export class ToolFailure extends Error {
	override readonly name = "ToolFailure";
	/** Whether the same call may work once the user looks at what is there now (row U11). */
	readonly isStale: boolean;

	constructor(sentence: string, isStale = false) {
		super(sentence);
		this.isStale = isStale;
	}
}
