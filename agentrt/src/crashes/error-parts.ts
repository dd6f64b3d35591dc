import {
  type JsonObject,
  ownFolder,
  placeOfError,
  reasonOf,
  stackLinesOf,
  TableError,
} from "../core/index.ts";
import type { BundleAnswer, BundleCrash, BundleError } from "./crash-bundle.ts";
import type { Placeholders } from "./placeholders.ts";

const causeCountMax = 8;
const [nameLengthMax, frameLengthMax, textLengthMax] = [200, 500, 4000];

const answerStackLineCountMax = 20;

/** A place in a file of the project. */
export interface Place {
  /** Counts from the folder of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Writes errors as bundles have them. */
export class ErrorParts {
  readonly #placeholders: Pick<Placeholders, "text" | "json">;
  /** How stacks and places begin that are in the project. */
  readonly #prefixes: readonly string[];

  /**
   * @param projectFolder Absolute.
   * @param placeholders Take secrets out.
   */
  constructor(projectFolder: string, placeholders: Pick<Placeholders, "text" | "json">) {
    this.#placeholders = placeholders;
    const folder = projectFolder.endsWith("/") ? projectFolder : `${projectFolder}/`;
    this.#prefixes = [`file://${encodeURI(folder)}`, folder];
  }

  /** @returns All that is said of what an agent crashed with. */
  crash(error: unknown): BundleCrash {
    const { causes, ...said } = this.chain(error);
    return { ...said, at: this.#at(error), causes, stack: this.#stackOf(error) };
  }

  /** @returns Name, code and message, also of its causes. */
  chain(error: unknown): Omit<BundleCrash, "at" | "stack"> {
    const causes: BundleError[] = [];
    const seen = new Set<unknown>([error]);
    for (let at = causeOf(error); at !== undefined && !seen.has(at); at = causeOf(at)) {
      if (causes.length >= causeCountMax) break;
      seen.add(at);
      causes.push(this.error(at));
    }
    return { ...this.error(error), causes };
  }

  /** @returns Name, code and message. */
  error(error: unknown): BundleError {
    const name = safely(() => textOf((error as { readonly name?: unknown } | null)?.name));
    const code = safely(() => textOf((error as { readonly code?: unknown } | null)?.code));
    return {
      name: this.#text(name ?? typeof error, nameLengthMax),
      code: code === undefined ? null : this.#text(code, nameLengthMax),
      message: this.#text(reasonOf(error), textLengthMax),
    };
  }

  /** @returns The same with what makes it again. */
  answer(error: unknown): NonNullable<BundleAnswer["error"]> {
    const details = error instanceof TableError ? error.details : {};
    const stack = this.#stackOf(error).slice(0, answerStackLineCountMax);
    return {
      ...this.error(error),
      details: this.#placeholders.json(details) as JsonObject,
      stack,
    };
  }

  /** @returns The places of its stack that are in the project, innermost first. */
  places(error: unknown): Place[] {
    return this.#stackOf(error).flatMap((line) => {
      const found =
        /^at (?:.*\()?((?!node:|file:|agentrt:|\/|.*node_modules\/)\S+):(\d+):(\d+)\)?$/.exec(line);
      if (found === null) return [];
      const [, file = "", row, column] = found;
      return [{ file, line: Number(row), column: Number(column) }];
    });
  }

  #at(error: unknown): string | null {
    const at = safely(() => (error instanceof Error ? placeOfError(error) : undefined));
    return at === undefined ? null : this.#relative(at);
  }

  #stackOf(error: unknown): string[] {
    return stackLinesOf(error).map((line) => this.#text(this.#relative(line), frameLengthMax));
  }

  /** A text without its secrets, then cut: a part of a secret is not known as one. */
  #text(text: string, lengthMax: number): string {
    return this.#placeholders.text(text.slice(0, 4 * lengthMax)).slice(0, lengthMax);
  }

  #relative(text: string): string {
    const shown = this.#prefixes.reduce((each, prefix) => each.replaceAll(prefix, ""), text);
    return shown.replaceAll(ownFolder, "agentrt:");
  }
}

function causeOf(error: unknown): unknown {
  return safely(() => (error as { readonly cause?: unknown } | null | undefined)?.cause);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** User code may throw what throws when it is read. */
function safely<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
