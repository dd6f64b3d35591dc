/** How many times a second does the one-file executable start and answer `--version`, compared with rg and ast-grep? */
import type { Bench } from "./bench.ts";
import { astGrepStarts, codetoolStarts, ripgrepStarts } from "./rivals/cold-start.ts";

export const bench: Bench = {
  question: "What does it cost to start the executable, compared with ripgrep and ast-grep?",
  operation: "start",
  contenders: [
    codetoolStarts(["--version"], "codetool "),
    ripgrepStarts(["--version"], "ripgrep "),
    astGrepStarts(["--version"], "ast-grep "),
  ],
};
