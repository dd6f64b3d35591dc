/**
 * What the program takes from the machine and the process around it: the clock and timers, and the module that a thread
 * begins with; who this process is among others; and the version it has. `clock.ts` is the only file of codetool that may read the clock, start a timer or wait for a turn of the
 * event loop.
 *
 * This folder must not know anything of what the program is for.
 */
export { nextTurn, sleep, startTimer, steadyMs, type Timer, wallClockMs } from "./clock.ts";
export { thisProcess } from "./this-process.ts";
export { lookModule, threadModule, useThreadModule } from "./thread-module.ts";
export { version } from "./version.ts";
