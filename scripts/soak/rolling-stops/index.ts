/**
 * The soak of rolling stops: runs are stopped one after the other under the requests of foreign clients.
 *
 *     clients → haproxy → run 0, run 1       each stopped in turn: every request gets its answer
 *     clients → run                          stopped: every request that was sent before the signal gets its answer
 */
export { soakRollingStops } from "./rolling-stops.ts";
