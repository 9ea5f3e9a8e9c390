import { totalmem } from "node:os";

/**
 * Returns the memory in bytes that a program can still allocate, within a container's limit. On macOS at least a third of the machine's, because
 * the system's figure leaves out most of what it frees when a program needs it.
 */
export function availableMemory(platform: NodeJS.Platform = process.platform): number {
	const reported = process.availableMemory();
	return platform === "darwin" ? Math.max(reported, totalmem() / 3) : reported;
}
