import type { SendOptions } from "../messages/index.ts";
import { busErrors } from "../errors.ts";
import { reasonOf, timeoutMsMax } from "../values/index.ts";

/** How a stream is asked for, and what ends it. */
export interface StreamOptions<Type extends string = string> extends SendOptions<Type> {
  /** The same as `firstChunkTimeoutMs`, which goes before it. */
  readonly timeoutMs?: number | undefined;
  /** Upper bound on the wait for the first chunk, or for the end when there is none. 1 to 2_147_483_647; default 30_000. */
  readonly firstChunkTimeoutMs?: number | undefined;
  /** Upper bound on the wait for room in a full mailbox. 1 to 2_147_483_647; default as long as for the first chunk. */
  readonly roomTimeoutMs?: number | undefined;
  /**
   * Upper bound on the time in which, after the first chunk, none comes and none is taken. 1 to 2_147_483_647; default
   * 300_000.
   */
  readonly idleTimeoutMs?: number | undefined;
  /** Upper bound on the whole stream, from the request to the producer's end. 1 to 2_147_483_647; default 3_600_000. */
  readonly durationMsMax?: number | undefined;
  /** Chunks that wait for the consumer; the producer waits when there are so many. 1 to 65_536; default 256. */
  readonly bufferLengthMax?: number | undefined;
  /** Most chunks; default no limit. */
  readonly chunkCountMax?: number | undefined;
  /** Most bytes of one chunk as JSON text; default no limit. Setting it costs a look at each chunk. */
  readonly chunkSizeBytesMax?: number | undefined;
}

/** The limits of a stream, all checked. */
export interface StreamLimits {
  readonly firstChunkTimeoutMs: number;
  readonly roomTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly durationMsMax: number;
  readonly bufferLengthMax: number;
  readonly chunkCountMax: number;
  readonly chunkSizeBytesMax: number;
}

/** What holds when nothing is said. */
export const defaultStreamLimits: StreamLimits = {
  firstChunkTimeoutMs: 30_000,
  roomTimeoutMs: Number.POSITIVE_INFINITY,
  idleTimeoutMs: 300_000,
  durationMsMax: 3_600_000,
  bufferLengthMax: 256,
  chunkCountMax: Number.POSITIVE_INFINITY,
  chunkSizeBytesMax: Number.POSITIVE_INFINITY,
};

const bufferLengthMaxMost = 65_536;

/**
 * Reads the limits of a stream from its options.
 *
 * @throws AGENTRT_BUS_OPTION_INVALID.
 */
export function readStreamLimits(options: StreamOptions): StreamLimits {
  const { timeoutMs, firstChunkTimeoutMs } = options;
  return {
    firstChunkTimeoutMs:
      firstChunkTimeoutMs === undefined && timeoutMs !== undefined
        ? timeoutMs
        : limitOf(options, "firstChunkTimeoutMs", timeoutMsMax),
    roomTimeoutMs: limitOf(options, "roomTimeoutMs", timeoutMsMax),
    idleTimeoutMs: limitOf(options, "idleTimeoutMs", timeoutMsMax),
    durationMsMax: limitOf(options, "durationMsMax", timeoutMsMax),
    bufferLengthMax: limitOf(options, "bufferLengthMax", bufferLengthMaxMost),
    chunkCountMax: limitOf(options, "chunkCountMax", Number.POSITIVE_INFINITY),
    chunkSizeBytesMax: limitOf(options, "chunkSizeBytesMax", Number.POSITIVE_INFINITY),
  };
}

function limitOf(options: StreamOptions, key: keyof StreamLimits, most: number): number {
  const found: unknown = options[key];
  if (found === undefined) return defaultStreamLimits[key];
  const isCount = key === "bufferLengthMax" || key === "chunkCountMax";
  const isInRange = typeof found === "number" && found >= 1 && found <= most;
  if (isInRange && (!isCount || Number.isInteger(found))) return found;
  const kind = isCount ? "a whole number" : "a number";
  const range = most === Number.POSITIVE_INFINITY ? "of 1 or more" : `from 1 to ${most}`;
  const wanted = `${kind} ${range}`;
  throw new busErrors.OPTION_INVALID({ option: key, found: reasonOf(found), wanted });
}
