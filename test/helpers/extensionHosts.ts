import { execFileSync } from "node:child_process";

interface Process {
	readonly id: number;
	readonly parent: number;
	readonly command: string;
}

function processes(): readonly Process[] {
	const list = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
	return list.split("\n").flatMap(line => {
		const [, id, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
		return command === undefined ? [] : [{ id: Number(id), parent: Number(parent), command }];
	});
}

/** Ids of the extension hosts, one for each window, that a server's process or its descendants began. POSIX only. */
export function extensionHostsOf(server: number): readonly number[] {
	const all = processes();
	const family = new Set([server]);
	for (let size = 0; size < family.size;) {
		size = family.size;
		for (const { id, parent } of all) {
			if (family.has(parent)) {
				family.add(id);
			}
		}
	}
	return all
		.filter(({ id, command }) => family.has(id) && command.includes("--type=extensionHost"))
		.map(({ id }) => id);
}
