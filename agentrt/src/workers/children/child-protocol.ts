import type { JsonObject, SpawnReport, StopOptions } from "../../core/index.ts";
import type { Guest } from "../../runtime/index.ts";
import { objectOf, textOf } from "../protocol.ts";

/** The types of control messages about children that are spawned. */
export const childTypes = {
  /** Worker: an agent of it spawns a child. Answered with the child. */
  spawn: "_agency.spawn",
  /** Worker: an agent of it ends a child. */
  end: "_agency.spawn_end",
  /** Supervisor: a child that an agent of this worker has spawned is gone. */
  gone: "_agency.spawn_gone",
  /** Supervisor: which children there are, or have come and gone. */
  names: "_agency.spawn_names",
  /** Supervisor: start this child, a new object of it if one runs. */
  start: "_agency.spawn_start",
  /** Supervisor: stop it; it may be started again. */
  stop: "_agency.spawn_stop",
  /** Supervisor: it is gone for good. */
  leave: "_agency.spawn_leave",
  /** Worker: a child has ended by itself, without a fault. */
  ended: "_agency.spawn_ended",
} as const;

/** A child that was spawned, and the process group that it runs in: empty for the supervisor's process. */
export type NamedChild = readonly [name: string, process: string];

/** What a supervisor says about the names of children. */
export interface NamesNews {
  /** The process that says it. */
  readonly board: string;
  /** Grows by one with each change. */
  readonly version: number;
  /** `first` and `last` of a whole list, which may be both; a change of one is neither. */
  readonly part: "change" | "first" | "middle" | "last" | "whole";
  readonly come: readonly NamedChild[];
  readonly gone: readonly string[];
}

/** Writes it. */
export function newsPayload({ board, version, part, come, gone }: NamesNews): JsonObject {
  return { board, version, part, come: come.map((pair) => [...pair]), gone: [...gone] };
}

/** Reads it. */
export function readNews({ board, version, part, come, gone }: JsonObject): NamesNews {
  const pairs = Array.isArray(come) ? come : [];
  return {
    board: textOf(board),
    version: typeof version === "number" ? version : -1,
    part:
      part === "first" || part === "middle" || part === "last" || part === "whole"
        ? part
        : "change",
    come: pairs.flatMap((pair: unknown) =>
      Array.isArray(pair) ? [[textOf(pair[0]), textOf(pair[1])] as const] : [],
    ),
    gone: Array.isArray(gone) ? gone.map(textOf) : [],
  };
}

/** Writes a child that was spawned. */
export function reportPayload({ name, supervisor, isReady, isExisting }: SpawnReport): JsonObject {
  return { name, supervisor, is_ready: isReady, is_existing: isExisting };
}

/** Reads it. */
export function readReport(payload: JsonObject): SpawnReport {
  const { name, supervisor, is_ready: isReady, is_existing: isExisting } = payload;
  return {
    name: textOf(name),
    supervisor: textOf(supervisor),
    isReady: isReady === true,
    isExisting: isExisting === true,
  };
}

/** Reads what a worker is to run. */
export function readGuest({ name, class: type, options }: JsonObject): Guest {
  return { name: textOf(name), type: textOf(type), options: objectOf(options) };
}

/** Reads how a child is stopped. */
export function readStop({ after, timeout }: JsonObject, nowMs: number): StopOptions {
  const deadlineMs =
    typeof timeout === "number" ? nowMs + timeout * 1000 : Number.POSITIVE_INFINITY;
  const isKnown = after === "message" || after === "queue" || after === "now";
  return { deadlineMs, isFinal: true, after: isKnown ? after : undefined };
}
