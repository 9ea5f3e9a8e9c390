/** Record of a call, written before it runs. docs/faults.md, class T. */
export interface LedgerEntry {
	readonly callId: string;
	readonly tool: string;
	readonly fingerprint: string;
	/** Each file's digest before and after the change, for comparison with the disk after a crash. */
	readonly files: readonly {
		readonly label: string;
		readonly before: string;
		readonly after: string;
	}[];
}

/** Persistent record of calls. */
export interface ToolLedger {
	/** Resolves once the entry is on disk. The call must not run before. Rejects if the entry can't be written. */
	begin(entry: LedgerEntry): Promise<void>;
}
