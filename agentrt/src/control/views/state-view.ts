import {
  isSecretName,
  type JsonObject,
  type JsonValue,
  supervisionErrors,
} from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";
import { asJson } from "../bodies.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { StateBody } from "../wire-history.ts";

/**
 * Takes out of states what must not be seen: names of keys, at any depth, or a function that gets a copy of the state
 * and the name of the agent, and gives what may be seen.
 */
export type Redact = readonly string[] | ((state: JsonObject, agent: string) => object);

const hidden = "***";

/**
 * Makes the answer of `GET /agents/{name}/state`.
 *
 * @param view The running tree.
 * @param name Of an agent or a key.
 * @param redact What else is taken out than keys that look like secrets; default nothing.
 */
export function stateResponse(
  view: RuntimeView,
  name: string,
  redact: Redact | undefined,
): GatewayResponse {
  let state: JsonObject | undefined;
  try {
    state = view.agentState(name);
  } catch (error) {
    if (error instanceof supervisionErrors.UNKNOWN_NAME)
      return errorResponse(404, `agent '${name}' not found`);
    if (error instanceof supervisionErrors.NOT_AN_AGENT)
      return errorResponse(409, `'${name}' has no state: want an agent, or a key of it`);
    throw error;
  }
  const shown = state === undefined ? null : redactedState(state, { view, name, redact });
  const body: StateBody = { agent: name, state: shown };
  return { status: 200, body: asJson(body) };
}

/** @returns A state without what must not be seen. */
export function redactedState(
  state: JsonObject,
  of: { readonly view: RuntimeView; readonly name: string; readonly redact: Redact | undefined },
): JsonObject {
  const { view, name, redact = [] } = of;
  const isFunction = typeof redact === "function";
  const shown = isFunction ? (redact(state, name) as JsonObject) : state;
  const keys = new Set(isFunction ? [] : redact);
  return hiddenMembers(shown, {
    isHidden: (key) => keys.has(key) || isSecretName(key),
    text: view.observer.redactor.text,
  }) as JsonObject;
}

/** @returns A copy in which values of some keys, at any depth, are not seen. */
export function hiddenMembers(
  value: JsonValue,
  how: { readonly isHidden: (key: string) => boolean; readonly text?: (text: string) => string },
): JsonValue {
  if (typeof value === "string") return how.text?.(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: JsonValue) => hiddenMembers(each, how));
  const pairs = Object.entries(value).map(([key, inner]) => {
    const isHidden = inner !== null && how.isHidden(key);
    return [key, isHidden ? hidden : hiddenMembers(inner, how)] as const;
  });
  return Object.fromEntries(pairs);
}
