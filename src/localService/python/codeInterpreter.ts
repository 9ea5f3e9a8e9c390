import { type Clock, throwIfAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { PythonFiles } from "./pythonMessages.ts";
import { type CellOutcome, PythonThread } from "./pythonThread.ts";

/** Settings of the code interpreter. */
export interface CodeInterpreterOptions {
	/** The bundle of `python/worker.ts`. */
	readonly workerFile: URL | string;
	readonly files: PythonFiles;
	/** Milliseconds one run may take; 20 s by default. */
	readonly cellTimeoutMs?: number;
	/** Bytes Python's own memory may grow to; 512 MB by default. */
	readonly maxMemoryBytes?: number;
	/** Bytes the whole process may grow by during one run; 1.5 GB by default. */
	readonly maxGrowthBytes?: number;
	/** Bytes a Python may hold between two runs; 1.25 GB by default. */
	readonly maxHeldBytes?: number;
	/** Conversations whose Python is kept loaded at once; 2 by default. */
	readonly maxThreads?: number;
	/** Milliseconds after its last run that a Python is kept; 10 minutes by default. */
	readonly idleMs?: number;
}

/** A file that a request makes available. Interface §2.3. */
export interface InterpreterFile {
	readonly id: string;
	readonly name: string;
	/** MIME type. */
	readonly type: string;
	/** Bytes. */
	readonly size: number;
	readonly path: string;
}

/** A file with the name that Python finds it under in its working folder. */
export interface MountedFile extends InterpreterFile {
	readonly mountedAs: string;
}

/** A run, and whether variables of earlier runs were there. */
export type PythonRun = CellOutcome & {
	/** The conversation had a Python, which is gone: it was ended, or unused for too long. */
	readonly hasLostState: boolean;
};

/** The Python of one conversation, for one request. */
export interface Interpreter {
	/** The request's files, as Python sees them. */
	readonly files: readonly MountedFile[];
	/** Runs code; rejects with `AbortError` alone. Runs of one conversation wait for each other. */
	run(code: string, signal: AbortSignal): Promise<PythonRun>;
}

/** Session of a conversation: a Python while one is loaded, and the files that have been mounted, by id. */
interface PythonSession {
	thread: PythonThread | undefined;
	/** Mounted in the present thread. */
	mounted: Set<string>;
	/** Names by file id; they stay for as long as the conversation does. */
	readonly names: Map<string, string>;
	hasRun: boolean;
	/** The end of the last run, which the next one waits for. */
	busy: Promise<void>;
	idle: IDisposable | undefined;
}

/** Conversations that are known, with a Python or without. */
const maxSessions = 500;
const defaultMaxThreads = 2;
const defaultIdleMs = 10 * 60 * 1000;

/** Python for every conversation, loaded with its first run and kept for the next ones. */
export class CodeInterpreter {
	private readonly options: CodeInterpreterOptions;
	private readonly clock: Clock;
	/** Sessions by the ids of their conversations, the one used last at the end. */
	private readonly sessions = new Map<string, PythonSession>();
	/** Sessions with a thread, the one used last at the end. */
	private readonly loaded = new Set<PythonSession>();

	/** Nothing is loaded before the first run. */
	constructor(options: CodeInterpreterOptions, clock: Clock) {
		this.options = options;
		this.clock = clock;
	}

	/** The Python of a conversation by its id; without one, a conversation that nothing goes on with. */
	open(conversation: string | undefined, files: readonly InterpreterFile[]): Interpreter {
		const session = this.sessionOf(conversation);
		const named = files.map(file => ({ ...file, mountedAs: nameOf(session, file) }));
		return {
			files: named,
			run: (code, signal) => this.run(session, { code, files: named, signal }),
		};
	}

	/** Ends every Python. */
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

	/** Runs code when the session's run before it is over. */
	private async run(session: PythonSession, request: RunRequest): Promise<PythonRun> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const previous = session.busy;
		session.busy = promise;
		try {
			await previous;
			throwIfAborted(request.signal);
			return await this.runNow(session, request);
		} finally {
			resolve();
		}
	}

	private async runNow(
		session: PythonSession,
		{ code, files, signal }: RunRequest,
	): Promise<PythonRun> {
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
			const outcome = await thread.run({ code, files: mounts }, signal);
			for (const { id } of fresh) {
				session.mounted.add(id);
			}
			return { ...outcome, hasLostState };
		} finally {
			await this.settle(session);
		}
	}

	/**
	 * The session's Python; the one of the conversation unused for longest makes room where there is none. Undefined when all
	 * are at work.
	 */
	private async load(session: PythonSession): Promise<PythonThread | undefined> {
		const { options, clock, loaded } = this;
		session.idle?.dispose();
		session.idle = undefined;
		if (session.thread && !session.thread.isOver) {
			loaded.delete(session);
			loaded.add(session);
			return session.thread;
		}
		// One that was ended while it was idle takes nobody's place.
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
		session.thread = new PythonThread({ ...options, clock });
		loaded.add(session);
		return session.thread;
	}

	/** After a run: a Python that is over is let go, a living one is kept for a while. */
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
		busy: Promise.resolve(),
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

/** Windows and Python itself both know files by these names; a mounted file never takes one. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** Characters that end a path's part, or that no shell and no string literal takes as they are. */
const unsafe = /[/\\:*?"'<>|`$%\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const maxNameBytes = 120;

/**
 * The name a file is mounted under: like its own, but fit for a path and a string literal, and unlike `taken`, by letters
 * of either case. `report.csv` taken makes the next one `report (2).csv`.
 */
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
