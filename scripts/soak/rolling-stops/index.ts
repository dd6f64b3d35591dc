/**
 * The soak of rolling stops: runs are stopped one after the other under the requests of foreign clients.
 *
 *     clients → haproxy → run 0, run 1       each stopped in turn: every request gets its answer
 *     clients → run                          stopped: every request that was sent before the signal gets its answer
 *
 * Behind haproxy nobody has to know that a run stops. Only a message of WebSocket that meets the close frame is sent
 * again. HTTP/3 goes past haproxy, whose builds seldom speak it: its client goes on to the other run by itself.
 */
export { soakRollingStops } from "./rolling-stops.ts";
