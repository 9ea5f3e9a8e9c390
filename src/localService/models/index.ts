/**
 * Real models: which there are, and their answers, with the server's tools run for them here.
 * In: the servers of models that the user set up.
 * Out: an engine, and lists of models; a request that names no server goes on to the demo.
 */
export { Models } from "./models.ts";
