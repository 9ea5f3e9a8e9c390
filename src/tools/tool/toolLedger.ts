/** Record of a call before it runs. Fault matrix class T, row U18. */
export interface LedgerEntry {
	readonly callId: string;
	readonly tool: string;
	readonly fingerprint: string;
	/** Each file's digest as it was and as it would be, so that after a crash both can be compared with what is there. */
	readonly files: readonly {
		readonly label: string;
		readonly before: string;
		readonly after: string;
	}[];
}

/** Keeps what ran, on a medium that survives the editor. */
export interface ToolLedger {
	/** Resolves once the entry is on the medium; what it is for has not run yet. Rejects when it cannot be kept. */
	begin(entry: LedgerEntry): Promise<void>;
}
