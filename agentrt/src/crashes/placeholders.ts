import { createRedactor, isSecretName, type Redactor } from "../core/index.ts";

/** Shortest text below a secret name that is looked for elsewhere, too: shorter ones would be found everywhere. */
const lengthMin = 6;
/** Secrets of one bundle that are told apart; those beyond share the last placeholder. */
const secretCountMax = 1000;
/** Values in which secret names are looked for. */
const learnedCountMax = 100_000;
const placeholderPattern = /^<secret-\d+>$/;

/** A value, and under which name it is. */
interface Named {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Puts placeholders in place of secrets: the same secret is the same placeholder, so that what depends on whether two of
 * them are equal still does. One for each bundle.
 */
export class Placeholders {
  readonly #known = new Map<string, string>();
  readonly #redactor: Redactor;
  readonly #masked: Redactor | undefined;
  /** What is looked for in texts, the longest first; made again when there is a new secret. */
  #sought: readonly (readonly [secret: string, placeholder: string])[] | undefined;

  /**
   * @param environment Variables whose values are secrets where their names say so.
   * @param masked What the log of the run is masked with: names of variables in place of their values; default nothing.
   * @param secretNames Of further variables whose values are secrets; default none.
   */
  constructor(
    environment: { readonly [name: string]: string | undefined },
    masked: Redactor | undefined,
    secretNames?: ReadonlySet<string>,
  ) {
    const replace = (secret: string): string => this.#placeholderOf(secret);
    this.#redactor = createRedactor(environment, { replace, secretNames });
    this.#masked = masked;
  }

  /** How many secrets it has replaced. */
  get count(): number {
    return this.#known.size;
  }

  /**
   * Notes the values of secret names anywhere in a value, so that they are found in texts that come before it.
   *
   * @param value Anything, also what is not JSON; of a larger one the first {@link learnedCountMax} values are looked at,
   *   outer ones first.
   */
  learn(value: unknown): void {
    const found: Named[] = [{ name: "", value }];
    const seen = new Set<unknown>();
    // It grows meanwhile.
    for (const { name, value: each } of found) {
      const isText = typeof each === "string" || typeof each === "number";
      if (isText && isSecretName(name)) this.#placeholderOf(String(each));
      if (typeof each !== "object" || each === null || seen.has(each)) continue;
      seen.add(each);
      addMembers(found, name, each);
    }
  }

  /** @returns The text without its secrets. */
  text(given: string): string {
    let shown = given;
    for (const [secret, placeholder] of this.#soughtNow())
      if (shown.includes(secret)) shown = shown.replaceAll(secret, placeholder);
    shown = this.#redactor.text(shown);
    return this.#masked?.text(shown) ?? shown;
  }

  /** @returns A copy of a value, as JSON has it, without its secrets. */
  json(value: unknown, name = ""): unknown {
    if (typeof value === "string")
      return isSecretName(name) ? this.#placeholderOf(value) : this.text(value);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number") {
      if (isSecretName(name)) return this.#placeholderOf(String(value));
      return Number.isFinite(value) ? value : null;
    }
    if (Array.isArray(value)) return value.map((each) => this.json(each, name));
    if (typeof value === "object") {
      const copy: { [key: string]: unknown } = {};
      for (const [key, each] of Object.entries(value)) {
        const shown = this.json(each, nameOf(name, key));
        if (shown !== undefined)
          Object.defineProperty(copy, this.text(key), {
            value: shown,
            configurable: true,
            enumerable: true,
            writable: true,
          });
      }
      return copy;
    }
    return typeof value === "bigint" ? String(value) : undefined;
  }

  #soughtNow(): readonly (readonly [string, string])[] {
    this.#sought ??= [...this.#known]
      .filter(([secret]) => secret.length >= lengthMin)
      .toSorted(([one], [other]) => other.length - one.length);
    return this.#sought;
  }

  #placeholderOf(secret: string): string {
    if (secret === "" || placeholderPattern.test(secret)) return secret;
    const known = this.#known.get(secret);
    if (known !== undefined) return known;
    const number = Math.min(this.#known.size + 1, secretCountMax);
    const placeholder = `<secret-${number}>`;
    if (this.#known.size < secretCountMax) {
      this.#known.set(secret, placeholder);
      this.#sought = undefined;
    }
    return placeholder;
  }
}

/** Adds what is in an object. User code may have made what throws when it is read. */
function addMembers(found: Named[], name: string, outer: object): void {
  if (ArrayBuffer.isView(outer)) return;
  const isList = Array.isArray(outer);
  try {
    for (const key in outer) {
      if (found.length >= learnedCountMax) return;
      const value = (outer as { readonly [key: string]: unknown })[key];
      found.push({ name: isList ? name : nameOf(name, key), value });
    }
  } catch {
    // What comes before it is known.
  }
}

/** All that is below a secret name is secret. */
function nameOf(outer: string, key: string): string {
  return isSecretName(outer) ? outer : key;
}
