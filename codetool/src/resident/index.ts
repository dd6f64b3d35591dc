/**
 * The resident service itself: it listens, has command lines answered, and ends when it is of no more use; and what one asks
 * it about itself.
 *
 * It must not know: commands, envelopes, indexes.
 */
export { type FirstLine, startToFirstLine } from "./first-line.ts";
export { stateOf, statesOfAll, stopService } from "./look-after.ts";
export { ResidentService, type ServiceStatus } from "./resident-service.ts";
