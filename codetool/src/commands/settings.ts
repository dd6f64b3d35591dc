import { errors } from "../envelope/index.ts";
import { logLevels, type CommandContext, type LogLevel } from "./command.ts";

/** What the environment sets, checked. */
export interface Settings {
  /** Larger files are skipped by walks; bytes. `CODETOOL_MAX_FILE_SIZE`, default 1 MB (1,048,576), at most 64 MiB. */
  readonly fileSizeBytesMax: number;
  /** Target size of a search chunk in characters. `CODETOOL_CHUNK_SIZE`, default 1,500. */
  readonly chunkSizeCharacters: number;
  /** The folder for unpacked parts and caches, if not the user's cache directory. `CODETOOL_CACHE_DIR`. */
  readonly cacheDirectory: string | undefined;
  /** The least urgent log lines shown. `CODETOOL_LOG`, else `RUST_LOG`; `undefined` shows none. */
  readonly logLevel: LogLevel | undefined;
}

const unitBytes: { readonly [unit: string]: number } = {
  "": 1,
  b: 1,
  k: 1024,
  kb: 1024,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
};
/** Files of walks are read as a whole, and an index takes many times their size: a larger setting counts as this. */
const walkedFileSizeBytesMax = 64 * 1024 * 1024;
const chunkSizeCharactersMin = 100;
const chunkSizeCharactersMax = 100_000;

/**
 * Reads the settings from environment variables; an empty variable counts as not set.
 *
 * @throws invalid_argument for a value that is not what its variable takes.
 */
export function readSettings(environment: CommandContext["environment"]): Settings {
  return {
    fileSizeBytesMax: Math.min(
      readSizeBytes(environment, "CODETOOL_MAX_FILE_SIZE") ?? 1024 ** 2,
      walkedFileSizeBytesMax,
    ),
    chunkSizeCharacters: readChunkSize(environment) ?? 1500,
    cacheDirectory: textOf(environment, "CODETOOL_CACHE_DIR"),
    logLevel: readLogLevel(environment),
  };
}

/**
 * Reads how much is logged. Both variables may hold a list such as `warn,codetool=debug`: the part for codetool
 * counts, else the one without a name.
 *
 * @throws invalid_argument for a `CODETOOL_LOG` without a known level; a `RUST_LOG` in another form is ignored.
 */
export function readLogLevel(environment: CommandContext["environment"]): LogLevel | undefined {
  const own = textOf(environment, "CODETOOL_LOG");
  if (own === undefined) return logLevelOf(textOf(environment, "RUST_LOG") ?? "");
  if (own.toLowerCase() === "off") return undefined;
  const level = logLevelOf(own);
  if (level === undefined)
    throw new errors.invalid_argument({
      argument: `CODETOOL_LOG=${own}`,
      reason: `wanted one of off, ${logLevels.join(", ")}`,
    });
  return level;
}

function logLevelOf(text: string): LogLevel | undefined {
  let level: LogLevel | undefined;
  for (const part of text.toLowerCase().split(",")) {
    const [name, value] = part.includes("=") ? part.split("=", 2) : ["", part];
    const found = logLevels.find((candidate) => candidate === value?.trim());
    if (name?.trim() === "codetool") return found;
    if (name === "") level = found ?? level;
  }
  return level;
}

function textOf(environment: CommandContext["environment"], name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === "" ? undefined : value;
}

function readSizeBytes(
  environment: CommandContext["environment"],
  name: string,
): number | undefined {
  const text = textOf(environment, name);
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = unitBytes[(match?.[2] ?? "?").toLowerCase()];
  const sizeBytes = Math.floor(Number(match?.[1]) * (unit ?? Number.NaN));
  if (Number.isSafeInteger(sizeBytes) && sizeBytes > 0) return sizeBytes;
  throw new errors.invalid_argument({
    argument: `${name}=${text}`,
    reason: "wanted a size above 0 in bytes, or with a unit, for example 1048576 or 1MB",
  });
}

function readChunkSize(environment: CommandContext["environment"]): number | undefined {
  const text = textOf(environment, "CODETOOL_CHUNK_SIZE");
  if (text === undefined) return undefined;
  const size = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (size >= chunkSizeCharactersMin && size <= chunkSizeCharactersMax) return size;
  throw new errors.invalid_argument({
    argument: `CODETOOL_CHUNK_SIZE=${text}`,
    reason: `wanted a whole number from ${chunkSizeCharactersMin} to ${chunkSizeCharactersMax}`,
  });
}
