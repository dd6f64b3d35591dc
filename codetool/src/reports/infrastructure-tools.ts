import type { Tool } from "./tool.ts";

/** Infrastructure, packages, containers, history. */
export const infrastructureTools: readonly Tool[] = [];
