/**
 * The command `impact`: who is affected when a file or a symbol changes.
 *
 *   target ─▶ files that import it, directly and through others ─▶ users by symbol ─ budget ─▶ payload
 *
 * It must not know how an import is resolved: `imports/` says that.
 */
export { impactCommand } from "./command.ts";
