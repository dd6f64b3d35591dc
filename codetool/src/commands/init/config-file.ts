import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errors } from "../../envelope/index.ts";
import { finishInterrupted } from "../../files/index.ts";
import { thisProcess } from "../../system/index.ts";
import { decodeExactly, type ExactText } from "../../text/index.ts";

/** A configuration file as it is on the disk. */
export interface ConfigFile {
  /** Absolute, as the framework names it. */
  readonly path: string;
  /** Where it is, links resolved; `path` for one that is not there. */
  readonly target: string;
  /** `undefined` for one that is not there. */
  readonly bytes: Buffer | undefined;
  readonly text: ExactText;
}

const sizeBytesMax = 64 * 1024 * 1024;

/**
 * Reads a configuration file, through links.
 *
 * @throws permission_denied; invalid_argument for a folder, or a file that is too large; file_not_found for a link to nothing.
 */
export function readConfigFile(path: string): ConfigFile {
  try {
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    if (!isThere) return { path, target: path, bytes: undefined, text: decodeExactly(Buffer.of()) };
    const target = realpathSync(path);
    // What a killed process has left half done is done first.
    finishInterrupted(dirname(target), thisProcess());
    const stat = statSync(target);
    if (!stat.isFile()) throw refusal(path, "a file was wanted there");
    if (stat.size > sizeBytesMax) throw refusal(path, "it is larger than 64 MiB");
    const bytes = readFileSync(target);
    return { path, target, bytes, text: decodeExactly(bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    switch (code) {
      case "EACCES":
      case "EPERM":
        throw new errors.permission_denied({ path }, { cause: error });
      case "ENOENT":
      case "ELOOP": {
        const reason = "it is a link to a file that does not exist";
        throw new errors.file_not_found({ path, reason, remedy: "Mend or delete the link" });
      }
      case "ENOTDIR":
        throw refusal(path, "what should be its folder is a file");
      default:
        throw error;
    }
  }
}

function refusal(path: string, reason: string): Error {
  return new errors.invalid_argument({ argument: path, reason });
}
