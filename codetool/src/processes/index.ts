/**
 * Processes: one child, run to its end, with all that it and its own children print.
 *
 *   argv ─ runProcess ─▶ child in its own group ─ bytes ─▶ LineMerger ─▶ BoundedLines (stdout, stderr, combined)
 *                            │ time over, or a signal of ours                             │
 *                            ▼                                                            ▼
 *                        SIGTERM ─ grace ─▶ SIGKILL, to the whole tree              FinishedProcess
 *
 * A child is started from a list of words, never through a shell: what an argument holds is never read as syntax. It
 * leads a process group, so that what it started ends with it when its time is over or this program
 * gets a signal to end. After a child that ends by itself, its background processes go on running.
 *
 * Memory has a bound: of each stream its first and its last lines are kept, and the lines between are counted. Standard
 * output and standard error are kept apart, and together in the order in which their lines came.
 *
 * After a child has ended, other processes may still hold its pipes. They are read for as long as output comes, and for
 * a moment longer.
 *
 * This folder must not know: which tools there are, what their output means, commands, the envelope.
 */
export { type CapturedText } from "./bounded-lines.ts";
export { type FinishedProcess, runProcess, type RunProcessOptions } from "./run-process.ts";
export { signalNumberOf } from "./signal-number.ts";
