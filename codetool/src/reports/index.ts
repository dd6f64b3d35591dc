/**
 * Reports: from what a tool printed to what a reader needs of it.
 *
 *   argv ─ commandsIn ─▶ words of the commands that really run ─ toolOf ─▶ Tool ─ its parser ─▶ Report
 *                        (behind npx, uv run, npm test, bash -c …)          ▲
 *   captured text ─ cleanText ─▶ ToolOutput ─ signatures, where words do not tell
 *
 * `tools.ts` is the table: one row a tool, the more specific before the general. A row names the commands that are the
 * tool, the mark by which its output is known, its parser, and the flag that makes it print JSON, for the subcommands
 * that have one. The list in the documentation is made from it.
 *
 * A parser is a function from the output to a report: counts, failures in full, warnings, one line of summary. Passing
 * tests are left out. It reads the tool's own JSON where it finds some, whatever else is around it, else the text.
 * It answers `undefined` for an output in which it recognises nothing; then nothing is made up, and the caller keeps the
 * last lines. Colours and rewritten progress lines are taken out once, before any parser looks.
 *
 * Counts are the tool's own: where it prints a total, that is the count; where it does not, what was printed is counted.
 *
 * This folder must not know: processes, files (scripts of a package come in through a function), commands, the envelope.
 * It is text in, values out.
 */
export { cleanText } from "./clean-text.ts";
export { type ReadScript } from "./commands-in.ts";
export { type FoldedFinding, foldTwins, type Twin } from "./fold-twins.ts";
export { injectJsonFlags } from "./inject-json-flags.ts";
export { readReport } from "./read-report.ts";
export { type ReadReport, type Finding, type Report, type ToolOutput } from "./report.ts";
