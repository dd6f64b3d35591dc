/**
 * The command line front: words in, one envelope out.
 *
 *   argv ─ findCommandWord ─▶ command ─ parseCommandArguments ─▶ CommandInput ─ executeCommand ─▶ Outcome ─▶ stdout
 *
 * `main.ts` is the only place that touches the process; `run-command-line.ts` gets everything as values and streams, so
 * that tests run it without a process. Flags, help and suggestions are made from the command table.
 *
 * Standard output carries the answer and nothing else: an envelope, or text with `--plain`, errors included. Standard
 * error carries usage errors and the log. Exit codes: 0 answered, 1 error, 2 wrong usage.
 *
 * Start-up time is the product: nothing is loaded before it is known to be needed.
 *
 * This folder must not know: what a command does.
 */
export { main } from "./main.ts";
