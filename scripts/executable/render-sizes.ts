import type { ExaminedExecutable } from "./examine-executable.ts";
import type { ExecutableSizes } from "./inspect-executable.ts";

const rows: readonly (readonly [part: keyof ExecutableSizes, title: string])[] = [
  ["runtime", "the runtime, Bun"],
  ["tokenVectors", "the table of token vectors"],
  ["tokenCounter", "the table of the token counter"],
  ["parser", "the parser's library, compressed"],
  ["grammars", "the grammars, compressed"],
  ["javaScript", "JavaScript"],
  ["bytecode", "bytecode"],
  ["rest", "alignment, and the signature of macOS"],
  ["total", "together"],
];

/** Renders the page of the sizes. */
export function renderSizes(executables: readonly ExaminedExecutable[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  // The compiler takes a signature out of the runtime for Windows, so that the rest may be below nothing.
  const megabytes = (sizeBytes: number): string => (Math.max(0, sizeBytes) / 1e6).toFixed(1);
  return [
    "# The executable, by part\n\n",
    "Written by `npm run executables`, which builds the executables of all platforms and looks into each. In MB of 10⁶ bytes.\n\n",
    line(["part", ...executables.map(({ target }) => target.name)]),
    line(["---", ...executables.map(() => "--:")]),
    ...rows.map(([part, title]) =>
      line([title, ...executables.map(({ sizes }) => megabytes(sizes[part]))]),
    ),
    line(["grammars, so many", ...executables.map(({ grammarCount }) => String(grammarCount))]),
    "\n",
  ].join("");
}
