/** The servers of models to ask, with what each has to be sent; the headers are never logged. */
export interface ModelSetup {
	readonly servers: readonly {
		readonly name: string;
		readonly baseUrl: string;
		readonly headers: Readonly<Record<string, string>>;
	}[];
	/** Tokens asked of Ollama; 0 leaves it to the local service. */
	readonly contextLength: number;
}

/** One model of a server, with what is known of it. */
export interface ModelInfo {
	/** SERVER/MODEL, what a request names. */
	readonly id: string;
	readonly label: string;
	readonly server: string;
	/** Tokens; the context in effect, and the most it can have. */
	readonly contextLength?: number | undefined;
	readonly maxContextLength?: number | undefined;
	readonly sizeBytes?: number | undefined;
	readonly isLoaded?: boolean | undefined;
	readonly tools?: boolean | undefined;
	readonly vision?: boolean | undefined;
	readonly thinking?: boolean | undefined;
}

/** What one server of models said when it was asked which it has. */
export interface ServerListing {
	readonly server: string;
	readonly baseUrl?: string | undefined;
	readonly kind?: "openai" | "ollama" | undefined;
	readonly models: readonly ModelInfo[];
	/** Why it did not answer, as a sentence. */
	readonly failure?: string | undefined;
}

/** Where to look for models: the servers that are set up, or the ports of this machine where one may listen. */
export type ModelPlaces = "configured" | "found";
