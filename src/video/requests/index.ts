/**
 * Requests to the service about videos: the request that makes one, recorded before it is sent, and the polling after it.
 * In: jobs that are due.
 * Out: changed jobs in the table; a paid request at most once.
 */
export { Poller } from "./poller.ts";
export { newJobId, Submissions } from "./submissions.ts";
