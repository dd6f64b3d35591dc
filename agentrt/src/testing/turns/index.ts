/**
 * Whose turn it is in a simulation: the mailboxes, one message at a time as a seed chooses; the timers, in their order;
 * and the turns of Node's own event loop, after which nothing is left to do but to let time pass.
 *
 * It must not know agents, and knows no clock.
 */
export { realTurns } from "./real-turns.ts";
export { SeededScheduler } from "./seeded-scheduler.ts";
export { TimerHeap } from "./timer-heap.ts";
