/**
 * The command `init`: makes agent frameworks use codetool, and takes that out again.
 *
 *   frameworks.ts ─ places and additions ─▶ plan.ts ─▶ planned files ─ write.ts ─▶ files, backups and the ledger
 *
 * The ledger says what was put into which file, so that `--remove` takes out exactly that.
 */
export { initCommand } from "./command.ts";
