/**
 * The command `exists`: whether a name or a text occurs at all, as cheaply as can be known.
 *
 *   index says "not here" ─▶ no;  else files ─ first that holds it ─▶ yes
 */
export { existsCommand } from "./command.ts";
