import { isSecretName, type JsonValue } from "../../core/index.ts";
import type { Difference } from "./difference.ts";

/** Replaces a secret. */
export const hiddenValue = "(hidden)";

/**
 * Hides the values of secret keys in a difference: the reader sees that they differ, but not the values.
 *
 * @param difference The difference.
 * @param keys Names of keys whose values, and all below them, are shown to nobody; those that are called `password`,
 *   `api_key`, `Authorization` and the like never are.
 * @returns The difference, with `(hidden)` in place of such values.
 */
export function hideSecrets(difference: Difference, keys: ReadonlySet<string>): Difference {
  const isBelowSecret = difference.field.split(/[.[\]]/).some((key) => isHidden(key, keys));
  const hide = (value: JsonValue): JsonValue =>
    isBelowSecret ? hiddenValue : withoutSecrets(value, keys);
  const { from, to } = difference;
  return Object.freeze({
    ...difference,
    ...(from === undefined ? {} : { from: hide(from) }),
    ...(to === undefined ? {} : { to: hide(to) }),
  });
}

/** Also what is called as secrets are, in the settings of an agent's own. */
function isHidden(key: string, keys: ReadonlySet<string>): boolean {
  return keys.has(key) || isSecretName(key);
}

function withoutSecrets(value: JsonValue, keys: ReadonlySet<string>): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, keys));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isHidden(key, keys) ? hiddenValue : withoutSecrets(item, keys),
    ]),
  );
}
