import { isScalar, Schema } from "yaml";

/** The variables that `${NAME}` may read. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

/** A text of the file with the variables put in. */
export interface Substituted {
  readonly value: unknown;
  /** False when the text had no variable: it is as it was. */
  readonly isChanged: boolean;
}

/** Shortest value that is looked for in texts: a single character is found everywhere. */
const maskedLengthMin = 2;
/** Most values that are kept out of texts; more than a file can name. */
const maskedCountMax = 100_000;
const variablePattern = /^([A-Za-z_]\w*)(?::-([^]*))?$/;
/** `$${`, which stands for `${`; a whole `${…}`; one that does not end. */
const placePattern = /\$(\$\{)|\$\{([^{}]*)\}|\$\{/g;
const shownWords: ReadonlySet<string> = new Set(["true", "false", "null"]);
const scalarTags = new Schema({ schema: "core" }).tags;

/** The environment variables of a topology: what was read of them, and how their values are kept out of every text. */
export class Variables {
  readonly #environment: Environment;
  readonly #names = new Map<string, { isDefault: boolean }>();
  readonly #values = new Map<string, string>();

  /** @param environment Where the values come from. */
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The names that were read, in alphabetical order; `(default)` is behind those that the file gave a value. */
  get names(): readonly string[] {
    return [...this.#names]
      .map(([name, { isDefault }]) => (isDefault ? `${name} (default)` : name))
      .sort();
  }

  /**
   * Puts variables into a text of the file.
   *
   * @param text As it is written.
   * @param options.isPlain Whether the result is read as YAML reads a text without quotes: as a number, a boolean, null.
   * @param options.refuse Takes each fault: a variable that is not set, or a form that is none.
   * @returns The value.
   */
  read(
    text: string,
    { isPlain, refuse }: { isPlain: boolean; refuse: (reason: string) => void },
  ): Substituted {
    let isChanged = false;
    const replaced = text.replaceAll(
      placePattern,
      (place: string, escaped: string | undefined, inner: string | undefined) => {
        isChanged = true;
        if (escaped !== undefined) return escaped;
        const [, name, preset] = variablePattern.exec(inner ?? "") ?? [];
        if (name !== undefined) return this.#valueOf(name, preset, refuse);
        refuse(
          `${place} is not a variable: write \${NAME}, \${NAME:-default}, or $\${ for the text \${`,
        );
        return place;
      },
    );
    return { value: isPlain && isChanged ? scalarOf(replaced) : replaced, isChanged };
  }

  /** Puts names in place of the values that were read. */
  readonly mask = (text: string): string => {
    let shown = text;
    // The longest first: one may be part of another.
    for (const [value, name] of [...this.#values].sort(([a], [b]) => b.length - a.length))
      shown = replaceWhole(shown, value, `\${${name}}`);
    return shown;
  };

  /** Puts names in place of the values that were read, wherever they are in plain data. */
  readonly maskData = (data: unknown): unknown => {
    if (typeof data === "string") return this.mask(data);
    if (typeof data === "number") {
      const name = this.#values.get(String(data));
      return name === undefined ? data : `\${${name}}`;
    }
    if (Array.isArray(data)) return data.map(this.maskData);
    if (typeof data !== "object" || data === null) return data;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, this.maskData(value)]),
    );
  };

  /**
   * Keeps out what another topology has read, too: it was applied over this one.
   *
   * @param other Of that topology.
   */
  absorb(other: Variables): void {
    for (const [value, name] of other.#values)
      if (this.#values.size < maskedCountMax) this.#values.set(value, name);
  }

  #valueOf(name: string, preset: string | undefined, refuse: (reason: string) => void): string {
    const found = this.#environment[name];
    const isDefault = preset !== undefined && (found === undefined || found === "");
    if (found === undefined && !isDefault) {
      refuse(`the environment variable ${name} is not set`);
      return "";
    }
    this.#names.set(name, { isDefault });
    if (isDefault) return preset;
    const value = found ?? "";
    for (const part of new Set([value, String(scalarOf(value))]))
      if (part.length >= maskedLengthMin && !shownWords.has(part.toLowerCase()))
        this.#values.set(part, name);
    return value;
  }
}

/** Reads a text as YAML reads one without quotes. */
function scalarOf(text: string): unknown {
  for (const tag of scalarTags) {
    if (tag.collection !== undefined || tag.default !== true || tag.test?.test(text) !== true)
      continue;
    const value = tag.resolve?.(text, () => {}, {});
    return isScalar(value) ? value.value : value;
  }
  return text;
}

/** Replaces a text where no letter or digit is next to it. */
function replaceWhole(text: string, part: string, by: string): string {
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[A-Za-z0-9]/.test(character);
  let shown = "";
  let from = 0;
  for (;;) {
    const at = text.indexOf(part, from);
    if (at < 0) return shown + text.slice(from);
    const end = at + part.length;
    const isWhole =
      !(isWord(text[at - 1]) && isWord(part[0])) && !(isWord(text[end]) && isWord(part.at(-1)));
    shown += text.slice(from, at) + (isWhole ? by : part);
    from = end;
  }
}
