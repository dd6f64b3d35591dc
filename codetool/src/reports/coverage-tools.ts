import type { Tool } from "./tool.ts";

/** Test runners that measure coverage, and tools that print it: before the runners themselves. */
export const coverageTools: readonly Tool[] = [];
