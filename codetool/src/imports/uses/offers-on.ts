import type { ImportingFile } from "../tree/index.ts";

/** Whether a file may give on what it imports to those who import it. */
export function offersOn({ language, path, imports }: ImportingFile): boolean {
  if (language === "python") return /(?:^|\/)__init__\.pyi?$/.test(path);
  if (language === "c" || language === "cpp")
    return /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|inc|tcc)$/i.test(path);
  return imports.some(({ kind }) => kind === "reexport");
}
