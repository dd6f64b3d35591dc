import { type Fault, isOfTests, type SourceFile } from "./check.ts";

/** A section of a document that readers cannot look up: one of no RFC. */
const sectionPattern = /§/;
const publicSection = /RFC \d+,? §[\d.]+(?:(?:,| and| to| or) §[\d.]+)*/g;
const documentPattern = /\b(?:the specification|specification's|facts §)/i;

/**
 * Finds references to documents that are not in the repository. Titles and values of tests may speak of a
 * specification; sections must be of an RFC everywhere.
 */
export function checkPrivateReferences({ file, text }: SourceFile): Fault[] {
  const isTest = isOfTests(file);
  return text.split("\n").flatMap((line, index) => {
    const refused =
      sectionPattern.exec(line.replaceAll(publicSection, "")) ??
      (isTest ? null : documentPattern.exec(line));
    if (refused === null) return [];
    const message = `"${refused[0]}" names a document that is not here: say the rule itself: ${line.trim()}`;
    return [{ file, line1: index + 1, message }];
  });
}
