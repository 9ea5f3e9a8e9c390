/**
 * The engine that answers without a model: fixed commands and rules, enough to show and test every part of the client.
 * In: the messages of a chat.
 * Out: text, calls and faults as a model and a network would give them.
 */
export { createDemoEngine } from "./demoEngine.ts";
