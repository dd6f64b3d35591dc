/**
 * The command `exists`: whether a name or a text occurs at all, with as little work as possible.
 *
 *   index says "not here" ─▶ no;  else files ─ first that holds it ─▶ yes
 */
export { existsCommand } from "./command.ts";
