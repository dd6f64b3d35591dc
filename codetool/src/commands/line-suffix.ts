/** A file argument with the lines that were written behind it. */
export interface PlacedFile {
  readonly file: string;
  /** As `--lines` takes them; `undefined` where the argument has none. */
  readonly lines: string | undefined;
}

/**
 * Takes the lines off a file argument: `a.ts:7`, `a.ts:7-12`, `a.ts:7:3` (line and column, as compilers and `search
 * --plain` print them), `a.ts#L7` and `a.ts#L7-L12`.
 */
export function splitLineSuffix(argument: string): PlacedFile {
  const found =
    /^(.+?)(?::(\d{1,9})(?:-(\d{1,9})|:\d{0,9}|:\d{1,9}:)?|#L(\d{1,9})(?:-L?(\d{1,9}))?)$/s.exec(
      argument,
    );
  if (found === null) return { file: argument, lines: undefined };
  const [, file = "", colonStart, colonEnd, hashStart, hashEnd] = found;
  const start = colonStart ?? hashStart ?? "";
  const end = colonEnd ?? hashEnd;
  return { file, lines: end === undefined ? start : `${start}-${end}` };
}
