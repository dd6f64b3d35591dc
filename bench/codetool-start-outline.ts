/**
 * How many times a second does the one-file executable start and outline one file of 300 lines, compared with ast-grep's own
 * outline? ripgrep makes no outlines: it starts and counts the lines of the same file, as the floor for starting,
 * reading and writing.
 */
import type { Bench } from "./bench.ts";
import { astGrepStarts, codetoolStarts, outlinedFile, ripgrepStarts } from "./rivals/cold-start.ts";

export const bench: Bench = {
  question: "What does one outline of one file cost from a cold start, compared with ast-grep?",
  operation: "outline",
  contenders: [
    codetoolStarts(["outline", outlinedFile], "parsePattern"),
    ripgrepStarts(["--count", "", outlinedFile], ""),
    astGrepStarts(["outline", outlinedFile], "parsePattern"),
  ],
};
