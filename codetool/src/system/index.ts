/**
 * What the program takes from the machine and the process around it.
 *
 * This folder must not know anything of what the program is for.
 */
export { threadModule, useThreadModule } from "./thread-module.ts";
