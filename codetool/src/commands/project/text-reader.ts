import { readTextBytes } from "../../files/index.ts";
import { decodeText } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { ProjectCorpus } from "./project-corpus.ts";
import { readSettings } from "../settings.ts";

/** Texts that are kept for the next time, UTF-16 units in all. */
const keptLengthMax = 8 * 1024 * 1024;

/**
 * Makes a function that reads the texts of a project's files.
 *
 * @returns It gives `undefined` for binary files and those that cannot be read, or may not be shown.
 */
export function makeTextReader(
  project: ProjectCorpus,
  { environment, mayShow }: CommandContext,
): (file: number) => string | undefined {
  const { fileSizeBytesMax } = readSettings(environment);
  const kept = new Map<number, string | undefined>();
  let keptLength = 0;
  return (file) => {
    if (kept.has(file)) return kept.get(file);
    const path = project.absolutePathOf(file);
    if (mayShow?.(path) === false) return undefined;
    const bytes = readTextBytes(path, { sizeBytesMax: fileSizeBytesMax });
    const text = bytes === undefined ? undefined : decodeText(bytes).text;
    keptLength += text?.length ?? 0;
    if (keptLength > keptLengthMax) {
      kept.clear();
      keptLength = text?.length ?? 0;
    }
    kept.set(file, text);
    return text;
  };
}
