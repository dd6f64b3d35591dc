import type { CrashBundle } from "./crash-bundle.ts";

/** Beyond it a time has no date. */
const dateSecondsMax = 8.64e12;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isTextOrNull: Check = (value) => value === null || isText(value);
const isObjectOrNull: Check = (value) => value === null || isObject(value);
const isDate: Check = (value) => typeof value === "number" && Math.abs(value) < dateSecondsMax;
const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const orAbsent =
  (isThere: Check): Check =>
  (value) =>
    value === undefined || isThere(value);
const withMembers =
  (checks: { readonly [name: string]: Check }): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, isRight]) => isRight(value[name]));

const named = { name: isText, code: isTextOrNull, message: isText };
const isError = withMembers(named);
const isMessage = withMembers({
  id: isText,
  type: isText,
  sender: isText,
  priority: isNumber,
  timestamp: isDate,
  trace_id: isText,
  payload: isObject,
});
const isState = withMembers({ state: isObjectOrNull });

const checks: readonly Check[] = [
  withMembers({
    v: (value) => value === 1,
    id: isText,
    agent: isText,
    timestamp: isDate,
    topology_id: orAbsent(isText),
    versions: isObject,
    repeat: (value) =>
      value === null || (listOf(isText)(value) && (value as readonly unknown[])[0] === "sim"),
  }),
  withMembers({
    error: withMembers({
      ...named,
      at: isTextOrNull,
      causes: listOf(isError),
      stack: listOf(isText),
    }),
    source: listOf(
      withMembers({ file: isText, lines: listOf(withMembers({ line: isNumber, text: isText })) }),
    ),
  }),
  withMembers({
    message: (value) => value === null || isMessage(value),
    messages: listOf(isMessage),
    checkpoint: withMembers({ before: isState, after: isState }),
    state: isObjectOrNull,
    answers: listOf(
      withMembers({
        kind: isText,
        name: isText,
        request: isObjectOrNull,
        reply: orAbsent(isObject),
        error: orAbsent(withMembers({ ...named, details: isObject })),
      }),
    ),
    tools: listOf(isObject),
    spans: listOf(isObject),
    replay: withMembers({ reasons: listOf(isText) }),
  }),
];

/**
 * Looks at all that readers take for granted: a damaged record must not hide the others, nor fail who reads it.
 *
 * @param value What a file holds.
 */
export function isBundle(value: unknown): value is CrashBundle {
  return checks.every((isRight) => isRight(value));
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
