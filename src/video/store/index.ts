/**
 * The records of video jobs on disk, the table of jobs made from them, and the lease of the window that asks the service.
 * In: changed jobs.
 * Out: records that other windows read, and word of each job that changed.
 */
export { JobTable } from "./jobTable.ts";
export { PollerLease, PollRight } from "./pollerLease.ts";
export { VideoJobStore } from "./videoJobStore.ts";
