/**
 * What makes the local service's videos: the choice, the setup it is asked with, what is known before a click.
 * In: settings, keys, clicks.
 * Out: the setup of a video engine, and the offer that the last step before a video shows.
 */
export type { EngineChoiceDependencies } from "./chooseVideoEngine.ts";
export { costOf, EngineOffers, type EngineOffersDependencies } from "./engineOffer.ts";
export { withVideoEngine } from "./videoSetup.ts";
