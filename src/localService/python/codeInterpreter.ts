import { type Clock, SerialQueue, throwIfAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { FigureColors } from "../../common/clipLooks.ts";
import type { AskedPackages } from "./packages/packageQuestions.ts";
import {
	type NeededPackages,
	PackageStore,
	type PackageStoreOptions,
} from "./packages/packageStore.ts";
import type { CellRequest } from "./pythonMessages.ts";
import { type CellOutcome, PythonThread, type PythonThreadOptions } from "./pythonThread.ts";

/** The name of the tool, in the interface and for models. */
export const pythonTool = "code_interpreter";

export interface CodeInterpreterOptions extends Omit<PythonThreadOptions, "clock" | "colors"> {
	/** The number of conversations with a loaded Python. */
	readonly maxThreads?: number;
	/** Milliseconds that an idle Python is kept; 10 minutes by default. */
	readonly idleMs?: number;
	/** Returns the colors of figures, for a Python that is loaded. Matplotlib's own by default. */
	readonly figureColors?: () => FigureColors | undefined;
	/** Packages beyond the standard library. Without it, there are none. */
	readonly packages?: Omit<PackageStoreOptions, "clock">;
}

/** A file available to a request. docs/interface.md §2.3. */
export interface InterpreterFile {
	readonly id: string;
	readonly name: string;
	readonly type: string;
	/** In bytes. */
	readonly size: number;
	readonly path: string;
}

/** A file and its name in Python's working folder. */
export interface MountedFile extends InterpreterFile {
	readonly mountedAs: string;
}

/** Result of a run, and whether earlier variables were available. */
export type PythonRun = Exclude<CellOutcome, { status: "imports" }> & {
	/** The conversation's Python was stopped or unused for too long, so its variables are lost. */
	readonly hasLostState: boolean;
};

/** Access to a conversation's Python for one request. */
export interface Interpreter {
	/** The request's files with their names in Python. */
	readonly files: readonly MountedFile[];
	/** Access to packages. Absent if there are none beyond the standard library. */
	readonly packages?: InterpreterPackages;
	/** Runs code after earlier runs of the conversation have finished. Rejects only with `AbortError`. */
	run(code: string, signal: AbortSignal): Promise<PythonRun>;
}

/** Packages that code of a conversation needs. */
export interface InterpreterPackages {
	/** Returns the packages that code needs and that aren't all on disk; otherwise undefined. */
	absentFor(code: string, signal: AbortSignal): Promise<NeededPackages | undefined>;
	/** Asks the user about packages. Returns undefined if they were declined in this conversation before. */
	ask(needed: NeededPackages, signal: AbortSignal): AskedPackages | undefined;
	/** Returns the names of the packages that are on disk. */
	onDisk(): Promise<readonly string[]>;
	/** Downloads packages. Resolves to the reason if that fails. Rejects with `AbortError`. */
	download: PackageStore["download"];
}

/** A conversation's state: its Python while loaded, and its mounted files by id. */
interface PythonSession {
	thread: PythonThread | undefined;
	/** Ids mounted in the current thread. */
	mounted: Set<string>;
	/** Mounted names by file id, kept as long as the conversation. */
	readonly names: Map<string, string>;
	hasRun: boolean;
	/** Names of declined packages. */
	readonly declined: Set<string>;
	readonly runs: SerialQueue;
	idle: IDisposable | undefined;
}

/** The most conversations to remember, with or without Python. */
const maxSessions = 500;
const defaultMaxThreads = 2;
const defaultIdleMs = 10 * 60 * 1000;

/** Provides Python for conversations. Loads it for the first run and keeps it for further runs. */
export class CodeInterpreter {
	private readonly options: CodeInterpreterOptions;
	private readonly clock: Clock;
	private readonly packages: PackageStore | undefined;
	/** Sessions by conversation id, the most recently used last. */
	private readonly sessions = new Map<string, PythonSession>();
	/** Sessions with a thread, the most recently used last. */
	private readonly loaded = new Set<PythonSession>();

	/** Loads nothing before the first run. */
	constructor(options: CodeInterpreterOptions, clock: Clock) {
		this.options = options;
		this.clock = clock;
		this.packages = options.packages && new PackageStore({ ...options.packages, clock });
	}

	/** Opens the Python of a conversation. Without an id, opens one that is used only once. */
	open(conversation: string | undefined, files: readonly InterpreterFile[]): Interpreter {
		const session = this.sessionOf(conversation);
		const named = files.map(file => ({ ...file, mountedAs: nameOf(session, file) }));
		return {
			files: named,
			...this.packagesOf(session),
			run: (code, signal) =>
				session.runs.run(() => this.run(session, { code, files: named, signal })),
		};
	}

	async stop(): Promise<void> {
		await Promise.all([...this.loaded].map(session => this.unload(session)));
	}

	private sessionOf(conversation: string | undefined): PythonSession {
		const { sessions } = this;
		const session = sessions.get(conversation ?? "") ?? newSession();
		if (conversation) {
			sessions.delete(conversation);
			sessions.set(conversation, session);
			const [oldest = ""] = sessions.size > maxSessions ? sessions.keys() : [];
			sessions.delete(oldest);
		}
		return session;
	}

	private async run(
		session: PythonSession,
		{ code, files, signal }: RunRequest,
	): Promise<PythonRun> {
		throwIfAborted(signal);
		const hasLostState = session.hasRun && session.thread?.isOver !== false;
		const thread = await this.load(session);
		if (!thread) {
			const reason = "Python is busy with other conversations; ask again when one of them is done";
			return { status: "broken", reason, output: "", hasLostState };
		}
		session.hasRun = true;
		const fresh = files.filter(({ id }) => !session.mounted.has(id));
		const mounts = fresh.map(({ mountedAs: name, path }) => ({ name, path }));
		try {
			const packages = await this.packagesFor(thread, code, signal);
			const cell = { code, files: mounts, packages, isInspected: false };
			const outcome = await thread.run(cell, signal);
			if (outcome.status === "imports") {
				throw new Error("Python only inspected the code");
			}
			for (const { id } of fresh) {
				session.mounted.add(id);
			}
			return { ...outcome, hasLostState };
		} finally {
			await this.settle(session);
		}
	}

	private packagesOf(session: PythonSession): Pick<Interpreter, "packages"> {
		const store = this.packages;
		if (!store) {
			return {};
		}
		return {
			packages: {
				absentFor: (code, signal) =>
					session.runs.run(() => this.absentPackages(session, code, signal)),
				onDisk: () => store.onDisk(),
				download: (...asked) => store.download(...asked),
				ask: (needed, signal) => {
					if (needed.names.every(name => session.declined.has(name))) {
						return undefined;
					}
					const { detail, answer } = store.ask(needed, signal);
					const noted = answer.then(isAccepted => {
						needed.names.forEach(name => !isAccepted && session.declined.add(name));
						return isAccepted;
					});
					return { detail, answer: noted };
				},
			},
		};
	}

	private async absentPackages(
		session: PythonSession,
		code: string,
		signal: AbortSignal,
	): Promise<NeededPackages | undefined> {
		throwIfAborted(signal);
		const thread = this.packages && (await this.load(session));
		if (!thread) {
			return undefined;
		}
		try {
			const needed = await this.neededBy(thread, code, signal);
			return needed && needed.absent.length > 0 ? needed : undefined;
		} finally {
			await this.settle(session);
		}
	}

	/** Returns the packages on disk to install for a cell. A package whose dependencies are absent fails at its import. */
	private async packagesFor(
		thread: PythonThread,
		code: string,
		signal: AbortSignal,
	): Promise<CellRequest["packages"]> {
		const { packages } = this;
		const needed = packages && (await this.neededBy(thread, code, signal));
		return await Promise.all(
			(needed?.present ?? []).map(async each => ({
				name: each.file,
				path: (await packages?.pathOf(each)) ?? "",
				sha256: each.sha256,
				target: each.isLibrary === true ? "library" : "site",
			})),
		);
	}

	private async neededBy(
		thread: PythonThread,
		code: string,
		signal: AbortSignal,
	): Promise<NeededPackages | undefined> {
		const inspection = { code, files: [], packages: [], isInspected: true };
		const outcome = await thread.run(inspection, signal);
		return outcome.status === "imports" ? this.packages?.neededFor(outcome.modules) : undefined;
	}

	/** Returns the session's Python. If all slots are taken, unloads the one unused for longest. Returns undefined if all are busy. */
	private async load(session: PythonSession): Promise<PythonThread | undefined> {
		const { options, clock, loaded } = this;
		session.idle?.dispose();
		session.idle = undefined;
		if (session.thread && !session.thread.isOver) {
			loaded.delete(session);
			loaded.add(session);
			return session.thread;
		}
		// Frees the slots of threads that ended while idle.
		const ended = [...loaded].filter(({ thread }) => thread?.isOver === true);
		await Promise.all(ended.map(other => this.unload(other)));
		if (loaded.size >= (options.maxThreads ?? defaultMaxThreads)) {
			const unused = [...loaded].find(other => other.idle !== undefined);
			if (!unused) {
				return undefined;
			}
			await this.unload(unused);
		}
		session.mounted = new Set();
		session.thread = new PythonThread({ ...options, clock, colors: options.figureColors?.() });
		loaded.add(session);
		return session.thread;
	}

	/** After a run, unloads a thread that has ended and keeps a running one for a while. */
	private async settle(session: PythonSession): Promise<void> {
		if (session.thread?.isOver !== false) {
			await this.unload(session);
			return;
		}
		session.idle = this.clock.setTimer(this.options.idleMs ?? defaultIdleMs, () => {
			void this.unload(session);
		});
	}

	private async unload(session: PythonSession): Promise<void> {
		session.idle?.dispose();
		session.idle = undefined;
		this.loaded.delete(session);
		const { thread } = session;
		session.thread = undefined;
		await thread?.stop();
	}
}

interface RunRequest {
	readonly code: string;
	readonly files: readonly MountedFile[];
	readonly signal: AbortSignal;
}

function newSession(): PythonSession {
	return {
		thread: undefined,
		mounted: new Set(),
		names: new Map(),
		hasRun: false,
		declined: new Set(),
		runs: new SerialQueue(),
		idle: undefined,
	};
}

function nameOf({ names }: PythonSession, file: InterpreterFile): string {
	const known = names.get(file.id);
	if (known !== undefined) {
		return known;
	}
	const taken = new Set([...names.values()].map(name => name.toLowerCase()));
	const name = mountedName(file.name, taken);
	names.set(file.id, name);
	return name;
}

/** Reserved names on Windows, including Python there. Mounted files never get such names. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** Characters that are path separators, or unsafe in shells and string literals. */
const unsafe = /[/\\:*?"'<>|`$%\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const maxNameBytes = 120;

/** Returns a safe file name that differs from `taken`, ignoring case, such as `report (2).csv`. */
export function mountedName(name: string, taken: ReadonlySet<string>): string {
	const plain = name.normalize("NFC").replaceAll(unsafe, "_").replaceAll(/\s+/g, " ").trim();
	const dotless = plain.replace(/^\.+/, "_").replace(/[. ]+$/, "");
	const base = dotless === "" || reserved.test(dotless) ? `file_${dotless}` : dotless;
	const dot = base.lastIndexOf(".");
	const ending = dot > 0 && base.length - dot <= 16 ? base.slice(dot) : "";
	const stem = shortened(base.slice(0, base.length - ending.length));
	const isTaken = (candidate: string): boolean => taken.has(candidate.toLowerCase());
	let candidate = `${stem}${ending}`;
	for (let count = 2; isTaken(candidate); count += 1) {
		candidate = `${stem} (${count})${ending}`;
	}
	return candidate;
}

function shortened(stem: string): string {
	let text = "";
	for (const character of stem) {
		if (Buffer.byteLength(text + character) > maxNameBytes) {
			break;
		}
		text += character;
	}
	return text;
}
