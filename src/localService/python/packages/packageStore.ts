import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Clock, throwIfAborted } from "../../../common/async.ts";
import type { PullFailure } from "../../../common/modelSetup.ts";
import { downloadFailure, downloadFile } from "../../embedded/downloadModel.ts";
import { HubError, resolveListedFile } from "../../embedded/hubFile.ts";
import type { AskedPackages, PackageQuestions } from "./packageQuestions.ts";

/** The largest package to download, in bytes, many times that of any in the lock file, which names no sizes. */
const maxPackageBytes = 256 * 1024 * 1024;

const packageSchema = z.object({
	/** Name of its file on a mirror. */
	file: z.string().check(z.regex(/^[\w.+-]{1,200}$/)),
	sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
	depends: z.array(z.string()),
	/** Names of the modules that it provides. */
	imports: z.array(z.string()),
	/** Whether it is a library of other packages rather than of Python. */
	isLibrary: z.optional(z.boolean()),
});

const lockSchema = z.object({
	/** Version of Pyodide, which a mirror's packages are built for. */
	version: z.string().check(z.regex(/^[\w.-]{1,40}$/)),
	packages: z.record(z.string(), packageSchema),
});

/** A package of Pyodide's lock file. */
export type LockedPackage = z.infer<typeof packageSchema> & { readonly name: string };

/** Pyodide's packages by name, with their hashes. Part of the extension. */
export class PackageLock {
	readonly version: string;
	private readonly packages: ReadonlyMap<string, LockedPackage>;
	/** Package names by module. */
	private readonly modules: ReadonlyMap<string, string>;

	static async read(file: string): Promise<PackageLock> {
		return new PackageLock(lockSchema.parse(JSON.parse(await readFile(file, "utf8"))));
	}

	constructor({ version, packages }: z.infer<typeof lockSchema>) {
		this.version = version;
		const named = Object.entries(packages).map(([name, each]) => ({ ...each, name }));
		this.packages = new Map(named.map(each => [each.name, each]));
		this.modules = new Map(
			named.flatMap(({ name, imports }) => imports.map(module => [module, name])),
		);
	}

	get all(): readonly LockedPackage[] {
		return [...this.packages.values()];
	}

	/** Returns the packages that provide these modules. Skips unknown modules. */
	packagesOf(modules: readonly string[]): LockedPackage[] {
		const names = new Set(modules.flatMap(module => this.modules.get(module) ?? []));
		return [...names].flatMap(name => this.packages.get(name) ?? []);
	}

	/** Returns packages with all that they depend on, dependencies first. */
	closureOf(packages: readonly LockedPackage[]): LockedPackage[] {
		const found = new Set<LockedPackage>();
		const visited = new Set<LockedPackage>();
		const visit = (each: LockedPackage): void => {
			if (visited.has(each)) {
				return;
			}
			visited.add(each);
			for (const name of each.depends) {
				const needed = this.packages.get(name);
				if (needed) {
					visit(needed);
				}
			}
			found.add(each);
		};
		packages.forEach(visit);
		return [...found];
	}
}

export interface PackageStoreOptions {
	/** The build's list of packages. */
	readonly lockFile: string;
	/** Folder of the downloaded packages. May be shared with other windows. */
	readonly folder: string;
	/** Returns the address of the mirror to download from, without a version. */
	readonly mirror: () => string;
	readonly questions: PackageQuestions;
	readonly clock: Clock;
}

/** Python's packages on disk, which all windows share, and their downloads. */
export class PackageStore {
	private readonly options: PackageStoreOptions;
	private lock: Promise<PackageLock> | undefined;

	constructor(options: PackageStoreOptions) {
		this.options = options;
	}

	/** Asks the user whether to download packages. */
	ask({ names, absent }: NeededPackages, signal: AbortSignal): AskedPackages {
		const host = URL.parse(this.options.mirror())?.host ?? "";
		return this.options.questions.ask({ names: [...names], count: absent.length, host }, signal);
	}

	/** Returns the packages that provide these modules, with all that they depend on. */
	async neededFor(modules: readonly string[]): Promise<NeededPackages> {
		this.lock ??= PackageLock.read(this.options.lockFile);
		const lock = await this.lock;
		const asked = lock.packagesOf(modules);
		const all = lock.closureOf(asked);
		const folder = this.folderOf(lock);
		const isAbsent = ({ file }: LockedPackage): boolean => !existsSync(join(folder, file));
		return {
			names: asked.map(({ name }) => name),
			present: all.filter(each => !isAbsent(each)),
			absent: all.filter(isAbsent),
		};
	}

	/** Returns the names of the packages of Python that are on disk. */
	async onDisk(): Promise<string[]> {
		this.lock ??= PackageLock.read(this.options.lockFile);
		const lock = await this.lock;
		// The folder is created by the first download.
		const files = new Set(await readdir(this.folderOf(lock)).catch(() => []));
		return lock.all
			.filter(({ file, isLibrary }) => isLibrary !== true && files.has(file))
			.map(({ name }) => name);
	}

	/** Returns the path of a package's file. */
	async pathOf({ file }: LockedPackage): Promise<string> {
		this.lock ??= PackageLock.read(this.options.lockFile);
		return join(this.folderOf(await this.lock), file);
	}

	/** Downloads packages one after the other. Resolves to the reason if that fails. Rejects with `AbortError` and keeps what was received. */
	async download(
		{ absent: packages }: NeededPackages,
		signal: AbortSignal,
		onProgress: (share: number) => void,
	): Promise<PullFailure | undefined> {
		this.lock ??= PackageLock.read(this.options.lockFile);
		const lock = await this.lock;
		const { mirror, clock } = this.options;
		const base = `${mirror().replace(/\/+$/, "")}/v${lock.version}/full/`;
		try {
			const files = await Promise.all(
				packages.map(({ file, sha256 }) => resolveListedFile(new URL(file, base), sha256, signal)),
			);
			if (files.some(({ sizeBytes }) => sizeBytes > maxPackageBytes)) {
				throw new HubError("wrongFile");
			}
			const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
			let done = 0;
			for (const [index, file] of files.entries()) {
				const failure = await downloadFile({
					folder: this.folderOf(lock),
					name: packages[index]?.file ?? "",
					clock,
					signal,
					sizeBytes: file.sizeBytes,
					resolve: () => Promise.resolve(file),
					onProgress: ({ completedBytes }) => onProgress((done + completedBytes) / total),
				});
				if (failure) {
					return failure;
				}
				done += file.sizeBytes;
			}
			return undefined;
		} catch (error) {
			throwIfAborted(signal);
			return downloadFailure(error);
		}
	}

	private folderOf({ version }: PackageLock): string {
		return join(this.options.folder, version);
	}
}

/** Packages that code needs. */
export interface NeededPackages {
	/** Names of those that it imports. */
	readonly names: readonly string[];
	/** Those on disk, dependencies first. */
	readonly present: readonly LockedPackage[];
	readonly absent: readonly LockedPackage[];
}
