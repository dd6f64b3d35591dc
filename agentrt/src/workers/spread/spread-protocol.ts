/** What the supervisor's process and workers say about the parts of pools and keyed agents. */
import type { JsonObject, JsonValue } from "../../core/index.ts";
import { objectOf } from "../protocol.ts";
import { partitionCount } from "./partitions.ts";

/** The types of these control messages; `name` of each payload is the node. */
export const spreadTypes = {
  /**
   * Supervisor: of this pool, these `members` are yours, and no others; at least `min` of them are there. `fresh` when others may have had them since.
   * Answered with `unread`, the reason, where the worker could not read what they wait for: they answer all the same, and it is asked again.
   */
  place: "_agency.spread.place",
  /**
   * Supervisor: these `partitions` of keys are yours from now on. Answered when their fences are raised. An agent begins with it, once for
   * each `beginning`.
   */
  take: "_agency.spread.take",
  /**
   * Supervisor: give these `partitions` up. Answered with those that are `released`, perhaps not all yet, and of them with those
   * that are `late`: something of them did not end in time.
   */
  release: "_agency.spread.release",
  /** Supervisor: keep these `partitions`, they could not be released. */
  keep: "_agency.spread.keep",
  /** Worker: all partitions of this node are given up. */
  lost: "_agency.spread.lost",
  /** Worker: it has stopped, and has nothing any more. */
  gone: "_agency.spread.gone",
} as const;

/** How long a worker may handle keys after the latest answer of it that the supervisor has confirmed, milliseconds. */
export const leaseMs = 10_000;
/** A worker whose lease is over still saves what it ends: so long its partitions are left to it where no other worker wants them, milliseconds. */
export const lastSaveMs = 5000;
/** What is logged where the supervisor's process cannot take charge of what no worker has. */
export const caredFailure = "approvals that no worker has cannot be read; it is tried again";

/** What a worker has of a node. */
export interface HostedPart {
  /** False when the node itself does not run there. */
  readonly isUp: boolean;
  /** Of a keyed agent, and of an agent that is one partition. */
  readonly partitions: readonly number[];
  /** Those of them that it gives up, as it was asked to. */
  readonly closing: readonly number[];
  readonly counts: PartCounts;
}

/** What a worker's part of a node does at one moment. */
export interface PartCounts {
  /** Keys, or members, that are there. */
  readonly resident: number;
  /** Keys that wait for a place. */
  readonly waiting: number;
  /** Keys that are out of their budget. */
  readonly failed: number;
  /** Members that handle a message. */
  readonly busy: number;
  /** Messages that wait. */
  readonly depth: number;
}

const countNames = ["resident", "waiting", "failed", "busy", "depth"] as const;

/** Where a worker takes messages for its part of a node. */
export function partTopic(processId: string, name: string): string {
  return `_part.${processId}.${name}`;
}

/** Writes what a worker has, by node. */
export function partsPayload(parts: ReadonlyMap<string, HostedPart>): JsonObject {
  return Object.fromEntries(
    [...parts].map(([name, { isUp, partitions, closing, counts }]) => [
      name,
      { is_up: isUp, partitions: [...partitions], closing: [...closing], ...counts },
    ]),
  );
}

/** Reads `parts` of a payload. */
export function readParts({ parts }: JsonObject): ReadonlyMap<string, HostedPart> {
  return new Map(
    Object.entries(objectOf(parts)).map(([name, each]) => {
      const part = objectOf(each);
      const { is_up: isUp, partitions, closing } = part;
      const numbers = { partitions: partitionsOf(partitions), closing: partitionsOf(closing) };
      return [name, { isUp: isUp === true, ...numbers, counts: countsOf(part) }];
    }),
  );
}

function countsOf(part: JsonObject): PartCounts {
  const counts = { resident: 0, waiting: 0, failed: 0, busy: 0, depth: 0 };
  for (const name of countNames) {
    const value = part[name];
    if (typeof value === "number") counts[name] = value;
  }
  return counts;
}

/** @returns The partitions of a list, without what is none. */
export function partitionsOf(value: JsonValue | undefined): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (each): each is number =>
      typeof each === "number" && Number.isInteger(each) && each >= 0 && each < partitionCount,
  );
}
