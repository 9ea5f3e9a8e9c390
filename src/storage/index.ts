/**
 * Access to the disk for everyone: one file system that tests can make fail, atomic replacement, the lease of one window,
 * a watch of a folder and a serial queue.
 * In: absolute paths and text.
 * Out: bytes on disk, or a `StoreError` whose kind says what to do; no code of the operating system.
 */
export { syncFolder, systemCode, writeAtomically, writeReplaceable } from "./atomicFile.ts";
export {
	type FileStamp,
	type FileSystem,
	type LogFile,
	nodeFileSystem,
	removeIfThere,
} from "./fileSystem.ts";
export { FolderWatch } from "./folderWatch.ts";
export {
	createLease,
	currentHolder,
	type FoundLease,
	isDead,
	Lease,
	type LeaseHolder,
	type LeaseDependencies,
	mayBeRunning,
	readLease,
	releaseLease,
	renewLease,
	silenceOf,
	takeLease,
} from "./lease.ts";
export { SerialQueue } from "./serialQueue.ts";
export { StoreError, toStoreError } from "./storeError.ts";
export { acquireWriterLease, isLeaseHeld } from "./writerLease.ts";
