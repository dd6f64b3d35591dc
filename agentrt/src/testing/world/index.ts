/**
 * What code inside of a simulation sees of the process: a clock, chance and ids that a seed repeats.
 *
 *     RepeatableWorld.run(code) → Date, performance, process.hrtime, Math.random, crypto: virtual for only that code
 *
 * It must not know agents, and outside of `run` everything is as Node made it.
 */
export { RepeatableWorld, type WorldOptions } from "./repeatable-world.ts";
