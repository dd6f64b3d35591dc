import type { JsonObject } from "../core/index.ts";
import { decodeFault, encodeFault } from "../links/index.ts";
import { type CrashElsewhere, noteCrashElsewhere } from "../runtime/index.ts";
import { objectOf, textOf } from "./protocol.ts";

/** Most causes whose messages come over. */
const causeCountMax = 8;

/**
 * Writes what a worker tells its supervisor of a crash.
 *
 * @param error What the agent crashed with.
 * @param crash As the worker knows it; undefined where it does not.
 * @param redactText Takes the secrets that the worker knows out of texts.
 */
export function toldCrash(
  error: unknown,
  crash: CrashElsewhere | undefined,
  redactText: (text: string) => string,
): JsonObject {
  const { id = "", shown } = crash ?? {};
  const texts =
    shown === undefined ? {} : { crash_message: shown.message, crash_causes: [...shown.causes] };
  return { error: encodeFault(error, redactText), crash_id: id, ...texts };
}

/**
 * @returns The error of a crash at a worker, with the texts that the worker shows of it where it does: the secrets in the others are
 *   known there, and not here. What is said of it is noted.
 */
export function readToldCrash(payload: JsonObject): Error {
  const error = decodeFault(objectOf(payload["error"]));
  const { crash_message: message, crash_causes: causes } = payload;
  const listed = Array.isArray(causes) ? causes.slice(0, causeCountMax).map(textOf) : [];
  const shown = typeof message === "string" ? { message, causes: listed } : undefined;
  if (shown !== undefined) putTexts(error, [shown.message, ...listed]);
  noteCrashElsewhere(error, { id: textOf(payload["crash_id"]), shown });
  return error;
}

/** Puts other messages into an error and its causes; of a cause that is not shown none is left. */
function putTexts(error: Error, texts: readonly string[]): void {
  let each: unknown = error;
  for (let index = 0; each instanceof Error; index += 1) {
    const [before, after] = [each.message, texts[index] ?? ""];
    each.message = after;
    if (each.stack !== undefined) each.stack = each.stack.replace(before, () => after);
    each = each.cause;
  }
}
