import { fileURLToPath } from "node:url";

/** @returns The absolute path of a `file:` URI; `undefined` for any other, and for one that is malformed. */
export function pathOfFileUri(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
