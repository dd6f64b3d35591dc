/**
 * The command `run`: runs a program and says in a few words what its output comes to.
 *
 *   words ─ processes/ ─▶ captured output ─ reports/ ─▶ counts, failures, warnings ─ budget ─▶ payload
 *
 * It must not know any tool's output: `reports/` does.
 */
export { runProgramCommand } from "./command.ts";
