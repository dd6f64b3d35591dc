import { z } from "zod";
import {
  type JsonObject,
  nodeNameLengthMax,
  nodeNamePattern,
  wantedNodeName,
} from "../../core/index.ts";

/** Largest number of seconds a timer can wait (2^31 milliseconds, rounded down). */
export const secondsMax = 2_147_483;

/*
 * Builders of field schemas. Every issue of theirs carries what was wanted as its message; the reader puts what was
 * found, and where, before it. A mapping's message for an unknown key is the list of keys it knows.
 */

/**
 * A whole number in a range.
 *
 * @param range.min Smallest value allowed.
 * @param range.max Largest value allowed; default 2^31 - 1.
 * @returns The schema.
 */
export function wholeNumber({ min, max = 2_147_483_647 }: { min: number; max?: number }) {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/**
 * A duration in seconds, fractions allowed.
 *
 * @param range.isZeroAllowed Whether 0 is a duration here.
 * @returns The schema.
 */
export function seconds({ isZeroAllowed }: { isZeroAllowed: boolean }) {
  const error = isZeroAllowed
    ? `a number of seconds from 0 to ${secondsMax}`
    : `a number of seconds above 0, at most ${secondsMax}`;
  const number = z.number({ error }).max(secondsMax, { error });
  return isZeroAllowed ? number.min(0, { error }) : number.gt(0, { error });
}

/**
 * A non-empty string.
 *
 * @param wanted What the string is, for the message.
 * @returns The schema.
 */
export function text(wanted = "a string") {
  return z.string({ error: wanted }).min(1, { error: wanted });
}

/**
 * A string of a pattern.
 *
 * @param pattern What it must match.
 * @param wanted What the string is, for the message.
 * @returns The schema.
 */
export function textLike(pattern: RegExp, wanted: string) {
  return z.string({ error: wanted }).regex(pattern, { error: wanted });
}

/**
 * A duration of a topology as the runtime takes it: `1.1` seconds are 1100 milliseconds, without the rest that
 * multiplying leaves.
 *
 * @param durationSeconds Above 0.
 * @returns Whole milliseconds, at least 1.
 */
export function wholeMilliseconds(durationSeconds: number): number {
  return Math.max(1, Math.round(durationSeconds * 1000));
}

/** True or false. */
export function flag() {
  return z.boolean({ error: "true or false; yes, no, on and off are strings in YAML 1.2" });
}

/**
 * One of some words, in any case.
 *
 * @param words The words, as the model has them.
 * @param fold How a written word becomes one of them.
 * @returns The schema.
 */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  fold: "upper" | "lower" | "exact" = "exact",
) {
  const error = `one of ${words.join(", ")}`;
  return z.preprocess(
    (value) => {
      if (typeof value !== "string" || fold === "exact") return value;
      return fold === "upper" ? value.toUpperCase() : value.toLowerCase();
    },
    z.enum(words, { error }),
  );
}

/**
 * A list.
 *
 * @param item The schema of its items.
 * @param wanted What the list holds, for the message.
 * @returns The schema.
 */
export function list<Item extends z.ZodType>(item: Item, wanted: string) {
  return z.array(item, { error: wanted });
}

/**
 * A non-empty string, or a list of such.
 *
 * @param wanted What it is, for the message.
 * @returns The schema.
 */
export function textOrList(wanted: string) {
  const item = z.string({ error: wanted }).min(1, { error: wanted });
  return z.union([item, z.array(item)], { error: wanted });
}

/**
 * A mapping with known keys and no others.
 *
 * @param shape The schema of each key.
 * @returns The schema.
 */
export function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? Object.keys(shape).join(" ") : "a mapping",
  });
}

/** A mapping with any keys, handed on as it is: frozen, without a prototype. */
export function anyMapping() {
  return z.custom<JsonObject>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    { error: "a mapping" },
  );
}

/** A mapping from any key to a string. */
export function textMapping() {
  return z.custom<{ readonly [key: string]: string }>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((item) => typeof item === "string"),
    { error: "a mapping from names to strings" },
  );
}

/** The name of an agent or supervisor: printable, no space, not one of the runtime's own. */
export function nodeName() {
  const error = `a name of ${wantedNodeName}`;
  return z
    .string({ error: "a string; put quotes around a number" })
    .min(1, { error })
    .max(nodeNameLengthMax, { error })
    .regex(nodeNamePattern, { error });
}

/** A TCP or UDP port; 0 lets the system choose. */
export function port() {
  return wholeNumber({ min: 0, max: 65_535 });
}
