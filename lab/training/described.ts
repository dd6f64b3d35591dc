/** A title in plain words and what is below it; byte range of the file. */
export interface Described {
  readonly title: string;
  readonly startByte: number;
  readonly endByte: number;
}

const testOpening =
  /(?:^|[\s;])(?:it|test|describe|context|specify|scenario|should|when|t\.Run|feature|TEST_CASE|SECTION)\s*(?:\.\w+)?\s*\(?\s*(["'`])((?:(?!\1).){10,160})\1/;
const testLinesMax = 30;
const sectionBytesMax = 3000;

/** Tests that say in words what they check, each up to the next or 30 lines. */
export function describedTests(text: Buffer): Described[] {
  const found: Described[] = [];
  let open: { title: string; startByte: number; lines: number } | null = null;
  let at = 0;
  for (const line of text.toString("latin1").split("\n")) {
    const title = testOpening.exec(line)?.[2];
    const end = at + line.length + 1;
    if (open !== null && (title !== undefined || open.lines >= testLinesMax)) {
      found.push({ title: open.title, startByte: open.startByte, endByte: at });
      open = null;
    }
    if (title !== undefined) open = { title, startByte: end, lines: 0 };
    else if (open !== null) open.lines += 1;
    at = end;
  }
  if (open !== null)
    found.push({ title: open.title, startByte: open.startByte, endByte: text.length });
  return found.filter(
    ({ title, startByte, endByte }) => /\s/.test(title) && endByte - startByte > 40,
  );
}

/** The sections of a Markdown text, each with its heading. */
export function headedSections(text: Buffer): Described[] {
  const found: Described[] = [];
  let title = "";
  let startByte = 0;
  let at = 0;
  const close = (end: number): void => {
    if (title !== "" && end - startByte > 80)
      found.push({ title, startByte, endByte: Math.min(end, startByte + sectionBytesMax) });
  };
  for (const line of text.toString("latin1").split("\n")) {
    const heading = /^#{1,5}\s+(.{4,120})$/.exec(line)?.[1];
    const end = at + line.length + 1;
    if (heading !== undefined) {
      close(at);
      title = heading;
      startByte = end;
    }
    at = end;
  }
  close(text.length);
  return found;
}
