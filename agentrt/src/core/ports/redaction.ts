/** What is in place of a secret. */
export const redacted = "***";

/** Words whose values are secrets when a name ends with one of them, after a separator or a capital. */
const secretNamePattern =
  /(?:^|[_\-. ])(?:authorization|cookie|api[_-]?key|access[_-]?key|private[_-]?key|state[_-]?key|secret|token|password|passwd|passphrase|credential|credentials)$/;

/** Forms that secrets have in running text; the first group of a match stays. */
const secretTexts: readonly RegExp[] = [
  // Authorization headers.
  /\b((?:Bearer|Basic) +)[A-Za-z0-9._~+/=-]{8,}/g,
  // Passwords in URLs: scheme://user:password@host.
  /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@"'\\]*:)[^\s/@"'\\]+(?=@)/gi,
  // Keys of model providers and of the like.
  /\b((?:sk|pk|rk)-)[A-Za-z0-9_-]{12,}/g,
  // JSON Web Tokens.
  /\b(eyJ)[\w-]{8,1024}\.[\w-]{8,16384}\.[\w-]{0,4096}/g,
  // name=value and name: value, but not the "config.api_key: wanted a string" of our own faults.
  /\b((?:api[_-]?key|access[_-]?token|token|password|passwd|secret)\s*[=:]\s*)(?!(?:wanted|expected|unknown|missing) )[^\s"',;&{}()[\]]{4,}/gi,
];

/**
 * Says whether a name is that of a secret: `apiKey`, `X-API-Key`, `access_token`, `Authorization` and the like.
 *
 * @param name Of a field, a header or an environment variable.
 */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return secretNamePattern.test(words);
}

/** Takes secrets out of what is printed. */
export interface Redactor {
  /** @returns The text with its secrets replaced. */
  readonly text: (text: string) => string;
  /** @returns Plain JSON of a value, with the values of secret names and the secrets in its texts replaced. */
  readonly json: (name: string, value: unknown) => string | undefined;
}

/** What records of crashes have in place of a secret: it is not replaced once more. */
const placeholderPattern = /^<secret-\d+>$/;

/** Shortest value of an environment variable that is looked for: shorter ones would be found everywhere. */
const secretLengthMin = 8;

/**
 * Makes what takes secrets out of lines, errors and spans.
 *
 * @param environment Variables whose values are secrets when their names say so; default none.
 * @param options.replace What is in place of a secret; default `***` for each.
 * @param options.secretNames Further variables whose values are secrets, whatever their names are, those that are added later, too;
 *   default none.
 * @returns The redactor.
 */
export function createRedactor(
  environment: { readonly [name: string]: string | undefined } = {},
  {
    replace = () => redacted,
    secretNames,
  }: {
    readonly replace?: (secret: string) => string;
    readonly secretNames?: ReadonlySet<string> | undefined;
  } = {},
): Redactor {
  const isSecret = (name: string): boolean => isSecretName(name) || secretNames?.has(name) === true;
  const valuesNow = (): readonly string[] =>
    Object.entries(environment)
      .filter(([name, value]) => isSecret(name) && (value?.length ?? 0) >= secretLengthMin)
      .map(([, value]) => value ?? "")
      // The longest first: one may be part of another.
      .toSorted((a, b) => b.length - a.length);
  let [known, nameCount] = [valuesNow(), secretNames?.size];
  const text = (given: string): string => {
    if (nameCount !== secretNames?.size) [known, nameCount] = [valuesNow(), secretNames?.size];
    let shown = given;
    for (const secret of known)
      if (shown.includes(secret)) shown = shown.replaceAll(secret, replace(secret));
    for (const pattern of secretTexts)
      shown = shown.replaceAll(pattern, (whole: string, kept: string) => {
        const secret = whole.slice(kept.length);
        return placeholderPattern.test(secret) ? whole : kept + replace(secret);
      });
    return shown;
  };
  const replaceIn = (key: string, value: unknown): unknown => {
    if (value !== undefined && value !== null && isSecretName(key))
      return typeof value === "string" ? replace(value) : redacted;
    if (typeof value === "string") return text(value);
    return typeof value === "bigint" ? String(value) : value;
  };
  return {
    text,
    json: (name, value) => {
      const top = replaceIn(name, value);
      return JSON.stringify(top, (key, inner: unknown) =>
        key === "" ? inner : replaceIn(key, inner),
      );
    },
  };
}
