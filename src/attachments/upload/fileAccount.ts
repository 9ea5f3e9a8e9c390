import { createHash } from "node:crypto";
import type { Connection } from "../../client/contract/serviceClient.ts";

/**
 * Names the service and key that hold a file, without giving either away: 32 hex digits. The local service has an address and
 * a key of its own for every run, and so has what it forgets when it stops.
 */
export function fileAccountOf({ baseUrl, apiKey, files }: Connection): string {
	return createHash("sha256")
		.update(JSON.stringify([baseUrl, files.path, apiKey ?? null]))
		.digest("hex")
		.slice(0, 32);
}
