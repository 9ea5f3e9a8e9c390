import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import type { Connection, ServiceClient } from "../../client/contract/serviceClient.ts";
import { createServiceClient } from "../../client/createServiceClient.ts";
import { ServiceError } from "../../client/contract/serviceError.ts";
import type { Clock } from "../../common/async.ts";
import type { Log } from "../../common/log.ts";
import type { VideoEndpoint } from "./videoJob.ts";

/** Thrown if the configured key isn't the one of the job's account. Nothing was sent. */
export class KeyNeededError extends Error {
	override readonly name = "KeyNeededError";
	readonly reason: "missing" | "changed";

	constructor(reason: "missing" | "changed") {
		super(`The key is ${reason}`);
		this.reason = reason;
	}
}

export interface AccountDependencies {
	readonly connection: (endpoint: VideoEndpoint) => Promise<Connection>;
	readonly clock: Clock;
	readonly log: Log;
	readonly random: () => number;
}

/** Access to a service. Checks before every request that it goes to that service and, if a key mark is given, uses the key with that mark. */
export class Account {
	readonly client: ServiceClient;
	private readonly dependencies: AccountDependencies;
	private readonly endpoint: VideoEndpoint;
	private readonly wantedMark: string | undefined;
	private lastMark = "";

	constructor(dependencies: AccountDependencies, endpoint: VideoEndpoint, wantedMark?: string) {
		this.dependencies = dependencies;
		this.endpoint = endpoint;
		this.wantedMark = wantedMark;
		const { clock, log, random } = dependencies;
		const connection = (): Promise<Connection> => this.connection();
		this.client = createServiceClient({ connection, clock, log, random });
	}

	get keyMark(): string {
		return this.lastMark;
	}

	/** Throws `KeyNeededError`, or errors of the connection source. */
	async connection(): Promise<Connection> {
		const found = await this.dependencies.connection(this.endpoint);
		assertSameService(this.endpoint, found);
		this.lastMark = keyMarkOf(this.endpoint, found);
		if (this.wantedMark !== undefined && this.lastMark !== this.wantedMark) {
			throw new KeyNeededError(this.lastMark === noKey ? "missing" : "changed");
		}
		return found;
	}
}

/** Returns why a key is needed if a call failed for that reason, or undefined. */
export function keyNeededReason(thrown: unknown): "missing" | "changed" | "refused" | undefined {
	const error = thrown instanceof ServiceError ? (thrown.cause ?? thrown) : thrown;
	if (error instanceof KeyNeededError) {
		return error.reason;
	}
	return thrown instanceof ServiceError && thrown.kind === "unauthorized" ? "refused" : undefined;
}

const noKey = "none";

/** The local service has a single account, whose key changes with every start. */
function keyMarkOf(endpoint: VideoEndpoint, { apiKey }: Connection): string {
	if (endpoint.kind === "local") {
		return "local";
	}
	return apiKey
		? createHash("sha256").update(`${endpoint.origin}\0${apiKey}`).digest("hex").slice(0, 16)
		: noKey;
}

function assertSameService(endpoint: VideoEndpoint, { baseUrl }: Connection): void {
	const isSame =
		endpoint.kind === "local" ||
		(URL.canParse(baseUrl) && new URL(baseUrl).origin === endpoint.origin);
	if (!isSame) {
		throw new Error(
			l10n.t("This video belongs to {0}, which can't be reached now.", endpoint.label),
		);
	}
}
