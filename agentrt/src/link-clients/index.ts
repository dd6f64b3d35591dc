/**
 * The client libraries of links: which packages they are, and whether they are there.
 *
 * It must not load them, nor anything of a link.
 */
export { installCommandOf, missingClient } from "./client-packages.ts";
