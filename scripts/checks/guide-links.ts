import type { Fault, SourceFile } from "./check.ts";

/** The README links each guide. */
export function checkGuideLinks(readme: SourceFile, guides: readonly string[]): Fault[] {
  return guides
    .filter((guide) => !readme.text.includes(`](${guide})`))
    .map((guide) => ({ file: readme.file, line1: 1, message: `does not link ${guide}` }));
}
