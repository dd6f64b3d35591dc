import type { FileClass } from "../../files/index.ts";

const factors: { readonly [Class in FileClass]: number } = {
  source: 1,
  config: 0.8,
  declarations: 0.7,
  docs: 0.7,
  test: 0.6,
  example: 0.6,
  data: 0.5,
  generated: 0.3,
  vendored: 0.3,
};

/**
 * How much a file counts in a ranking, by what it is for.
 *
 * @param options.isTestWanted True when the query asks for tests: then they count like sources.
 */
export function factorOfClass(
  fileClass: FileClass,
  options: { readonly isTestWanted: boolean },
): number {
  return fileClass === "test" && options.isTestWanted ? 1 : factors[fileClass];
}

/** Tells whether a query asks for tests. */
export function isTestWanted(query: string): boolean {
  return /tests?|spec|mock|fixture/i.test(query);
}
