/**
 * The suspension of several objects behind one name: of a pool, or of a keyed agent.
 *
 * It must not know what the objects are, nor who hands messages to them.
 */
export { GroupSuspension } from "./group-suspension.ts";
