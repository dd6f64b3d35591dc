/**
 * The command `explain`: all that an agent asks about one symbol, in one answer.
 *
 *   symbol ─ find-definitions ─▶ the definition meant ─┬─ describe ─▶ signature, documentation, code
 *                                                      ├─ find-callers ─▶ callers, tests     (imports/: who uses it)
 *                                                      ├─ find-callees ─▶ what it uses
 *                                                      └─ find-changes ─▶ latest commits     (git/)
 *                                                                   └─ budget ─▶ payload
 *
 * It must not know how an import is resolved: `imports/` says that.
 */
export { explainCommand } from "./command.ts";
