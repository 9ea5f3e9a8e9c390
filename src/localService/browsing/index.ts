/**
 * Reading a page of the web: fetching a public address and taking the text out of its HTML, in a thread of its own.
 * In: an address.
 * Out: plain text, or why there is none.
 */
export { createPageReader, type ReadPage } from "./readPage.ts";
