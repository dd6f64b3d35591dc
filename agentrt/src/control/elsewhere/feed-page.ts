import type { JsonObject, JsonValue } from "../../core/index.ts";
import { isObject, numberOf, objectsOf, textOf } from "./json-members.ts";

/** The questions by which a process is asked for what its feeds hold: no client can ask them. */
export const feedQuestions = { events: "GET /_events", logs: "GET /_logs" } as const;

/** How long a process waits for an item before it answers that there is none, milliseconds. */
export const feedWaitMs = 5000;

/** Part of a feed of another process. */
export interface FeedPageBody {
  /** Tells that run from others. */
  readonly epoch: string;
  /** Number of the first item of the next page. */
  readonly next: number;
  /** Items that are gone and that should be in it; null where nobody knows how many. */
  readonly missed: number | null;
  readonly items: readonly { readonly number: number; readonly data: JsonObject }[];
}

/** Reads it; what is missing is empty. */
export function readFeedPage(body: JsonValue | undefined): FeedPageBody {
  const page = isObject(body) ? body : {};
  return {
    epoch: textOf(page["epoch"]),
    next: numberOf(page["next"]),
    missed: page["missed"] === null ? null : numberOf(page["missed"]),
    items: objectsOf(page["items"]).map((each) => ({
      number: numberOf(each["number"]),
      data: isObject(each["data"]) ? each["data"] : {},
    })),
  };
}
