import { addStream } from "./add-stream.ts";
import { faultOf } from "./faults.ts";
import type { JetStreamManager, StreamConfig } from "./jetstream-types.ts";

/** Limits of a stream that is made here. It refuses what is over them, so nothing that it has taken is dropped for room. */
export const streamLimits = {
  sizeBytesMax: 1024 ** 3,
  ageDaysMax: 7,
  /** Within it a second message of the same id is the same message. */
  duplicateWindowMinutes: 2,
} as const;

const nanosecondsPerMinute = 60 * 1e9;

/** A stream as it is wanted. */
interface WantedStream {
  /** Of the stream that is made; one of that name that has not the subjects is refused. */
  readonly name: string;
  /** The subjects: all that begin with it, one more token each. */
  readonly head: string;
  /** On how many servers of a cluster it is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
}

/** A stream that cannot be used, with the reason. */
export class StreamUnfit extends Error {}

/**
 * Finds the stream that has some subjects, and makes it where there is none: on the disk, a message goes when it was
 * acknowledged.
 *
 * @param manager What asks the server.
 * @param wanted Its name and its subjects.
 * @returns The name of the stream.
 * @throws StreamUnfit; what the library throws.
 */
export async function ensureStream(
  manager: JetStreamManager,
  wanted: WantedStream,
): Promise<string> {
  const { name, head } = wanted;
  const { streams } = manager;
  const named = await streams.info(name).catch((error: unknown) => {
    if (faultOf(error) === "noStream") return undefined;
    throw error;
  });
  if (named !== undefined) return fitting(named.config, head);
  const other = await streams.find(`${head}*`).catch(() => undefined);
  if (other !== undefined) return other;
  await addStream(manager, configOf(wanted));
  return name;
}

function configOf({ name, head, replicaCount = 1 }: WantedStream): StreamConfig {
  const { sizeBytesMax, ageDaysMax, duplicateWindowMinutes } = streamLimits;
  return {
    name,
    subjects: [`${head}>`],
    retention: "workqueue",
    storage: "file",
    discard: "new",
    num_replicas: replicaCount,
    max_bytes: sizeBytesMax,
    max_age: ageDaysMax * 24 * 60 * nanosecondsPerMinute,
    max_msgs_per_subject: -1,
    duplicate_window: duplicateWindowMinutes * nanosecondsPerMinute,
  };
}

function fitting({ name, subjects }: StreamConfig, head: string): string {
  if (subjects.some((pattern) => covers(pattern, head))) return name;
  throw new StreamUnfit(`it is there without the subject ${head}>`);
}

/** True when a pattern has every subject that is a head and one more token. */
function covers(pattern: string, head: string): boolean {
  const wanted = [...head.split(".").slice(0, -1), "*"];
  const tokens = pattern.split(".");
  for (const [index, token] of tokens.entries()) {
    if (token === ">") return index < wanted.length;
    if (token !== "*" && token !== wanted[index]) return false;
  }
  return tokens.length === wanted.length;
}
