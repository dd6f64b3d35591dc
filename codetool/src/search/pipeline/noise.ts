import { classOfPath } from "../../files/index.ts";

/** What the scores of files that rarely are the answer are multiplied with. */
export const noiseFactors = {
  test: 0.3,
  compat: 0.3,
  example: 0.3,
  barrel: 0.5,
  declarations: 0.7,
} as const;

const testFolder = /(?:^|\/)(?:tests?|__tests__|specs?|testing)\//i;
const compatFolder = /(?:^|\/)_?(?:compat|legacy)\//i;
const exampleFolder = /(?:^|\/)(?:examples?|docs?|docs_src)\//i;
const entryName =
  /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.pyi?|mod\.rs|lib\.rs|package-info\.java)$/;

/**
 * Noise penalties, multiplied with each other: tests 0.3, folders for compatibility or legacy 0.3, examples and
 * documents 0.3, entries that pass on what others define 0.5, declarations of types (`.d.ts`, `.pyi`) 0.7. They hold
 * whatever the query asks for.
 *
 * Folders count at the top of the tree, too. An entry (`index.ts`, `__init__.py`, `mod.rs` and the like) is one that
 * passes on where it defines nothing but constants and modules itself.
 *
 * @param path Relative to what is searched, forward slashes.
 * @param definesOwn Whether the file defines a function or a type.
 * @returns 0 to 1.
 */
export function noiseFactorOf(path: string, definesOwn: boolean): number {
  const fileClass = classOfPath(path);
  let factor = 1;
  if (fileClass === "test" || testFolder.test(path)) factor *= noiseFactors.test;
  if (compatFolder.test(path)) factor *= noiseFactors.compat;
  if (fileClass === "example" || fileClass === "docs" || exampleFolder.test(path))
    factor *= noiseFactors.example;
  if (entryName.test(path) && !definesOwn) factor *= noiseFactors.barrel;
  if (/\.d\.[cm]?ts$|\.pyi$/.test(path)) factor *= noiseFactors.declarations;
  return factor;
}
