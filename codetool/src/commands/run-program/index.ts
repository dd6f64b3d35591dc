/**
 * The command `run`: runs a program and gives a short summary of its output.
 *
 *   words ─ processes/ ─▶ captured output ─ reports/ ─▶ counts, failures, warnings ─ budget ─▶ payload
 *
 * It must not know any tool's output: `reports/` does.
 */
export { runProgramCommand } from "./command.ts";
