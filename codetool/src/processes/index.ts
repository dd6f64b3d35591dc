/**
 * Processes: one child, run to its end, with all that it and its own children print.
 *
 *   argv ─ runProcess ─▶ child in its own group ─ bytes ─▶ LineMerger ─▶ BoundedLines (stdout, stderr, combined)
 *                            │ time over, or a signal of ours                             │
 *                            ▼                                                            ▼
 *                        SIGTERM ─ grace ─▶ SIGKILL, to the whole tree              FinishedProcess
 *
 * A child is started from a list of words, never through a shell: what an argument holds is never read as syntax. It
 * leads a process group, so that what it started ends with it when its time is over or this program gets a signal to end; a
 * child that ends by itself leaves what it put into the background alone.
 *
 * Memory has a bound: of each stream its first and its last lines are kept, and what lies between is counted. Standard
 * output and standard error are kept apart, and together in the order in which their lines came.
 *
 * A child that has ended may leave its pipes open in the hands of others; they are waited for as long as they
 * bring something, and for a moment longer.
 *
 * This folder must not know: which tools there are, what their output means, commands, the envelope.
 */
export { type CapturedText } from "./bounded-lines.ts";
export { type FinishedProcess, runProcess, type RunProcessOptions } from "./run-process.ts";
export { signalNumberOf } from "./signal-number.ts";
