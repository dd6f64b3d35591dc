import { createSecretKey, type KeyObject } from "node:crypto";
import process from "node:process";
import { keySizeBytes } from "./encrypted-value.ts";
import { stateErrors } from "./errors.ts";

/** Where the state key is when nothing else is said. */
export const defaultKeyVariable = "AGENTRT_STATE_KEY";

/** Largest id of a key: it is one byte of each saved state. */
export const keyIdMax = 255;

/** What the name of an environment variable looks like. */
export const variableNamePattern = /^[A-Za-z_]\w*$/;

/** The keys of an encrypted store by id, and which of them writes. Printing it shows no key. */
export interface StateKeyRing {
  readonly currentId: number;
  readonly keys: ReadonlyMap<number, KeyObject>;
}

/** Where the keys are. */
export interface StateKeyOptions {
  /** Environment variable of the only key; default `AGENTRT_STATE_KEY`. Not together with `keys`. */
  readonly keyEnv?: string | undefined;
  /** Environment variables by key id, 0 to 255. */
  readonly keys?: { readonly [id: string]: string } | undefined;
  /** Id of the key that writes; without `keys` default 0, with a single one that one. */
  readonly currentKeyId?: number | undefined;
  /** Default: this process's environment. */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined;
}

/**
 * Reads the keys of an encrypted store from the environment, all of them at once: a key that is missing shows at the
 * start, not when the first state needs it.
 *
 * @param options Names of variables.
 * @returns The ring.
 * @throws AGENTRT_STATE_KEY_INVALID naming a variable that is not set or holds no key; AGENTRT_STATE_KEY_RING_INVALID.
 */
export function readStateKeys(options: StateKeyOptions = {}): StateKeyRing {
  const { keyEnv, keys, currentKeyId, environment = process.env } = options;
  const refuse = (reason: string): never => {
    throw new stateErrors.KEY_RING_INVALID({ reason });
  };
  if (keys !== undefined && keyEnv !== undefined) refuse("found both keys and key_env, wanted one");
  const ring = keys ?? { [String(currentKeyId ?? 0)]: keyEnv ?? defaultKeyVariable };
  const ids = Object.keys(ring);
  const [only] = ids;
  if (only === undefined) return refuse("it holds no key");
  // A key that stands where its variable's name belongs must not get into the message that says so.
  if (!Object.values(ring).every((variable) => variableNamePattern.test(variable)))
    refuse("one of its variables has a name that no environment variable has");
  for (const id of ids) if (!isKeyId(id)) refuse(`found the id "${id}", wanted 0 to ${keyIdMax}`);
  const currentId = currentKeyId ?? (ids.length === 1 ? Number(only) : undefined);
  if (currentId === undefined)
    return refuse("of several keys, current_key_id says which one writes");
  if (!Object.hasOwn(ring, String(currentId)))
    refuse(`it has no key of the current id ${currentId}`);
  return {
    currentId,
    keys: new Map(
      Object.entries(ring).map(([id, variable]) => [Number(id), readKey(variable, environment)]),
    ),
  };
}

/**
 * Tells whether a text is the id of a key.
 *
 * @param text For example `"1"`; `"01"` is none.
 */
export function isKeyId(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= keyIdMax;
}

function readKey(
  variable: string,
  environment: { readonly [name: string]: string | undefined },
): KeyObject {
  const refuse = (reason: string): never => {
    throw new stateErrors.KEY_INVALID({ variable, reason });
  };
  const text = (Object.hasOwn(environment, variable) ? environment[variable] : undefined)?.trim();
  if (text === undefined || text === "") return refuse("it is not set");
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) refuse("it is not base64");
  if (bytes.length !== keySizeBytes) refuse(`found ${bytes.length} bytes, wanted ${keySizeBytes}`);
  return createSecretKey(bytes);
}
