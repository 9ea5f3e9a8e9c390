/**
 * Videos from the request to the file, for all windows: the one object that starts, follows, repeats and deletes jobs.
 * In: prompts and options, clicks, the service's answers, records of other windows.
 * Out: jobs and word of each change; files in the user's folder. What costs money is sent once.
 */
export type { VideoJobs } from "./videoJobs.ts";
