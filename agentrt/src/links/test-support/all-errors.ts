import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import type { TableError } from "../../core/index.ts";
import { type ErrorTableEntry, errorTableEntries } from "../../core/values/define-errors.ts";

type ErrorClass = new (details: object, options?: ErrorOptions) => TableError;

const folder = join(import.meta.dirname, "../..");

/** An error of a table. */
export interface KnownError {
  readonly code: string;
  /** @returns One of it, with details that its message can be made from. */
  readonly make: (options?: ErrorOptions) => TableError;
}

/** @returns All errors of the runtime. */
export async function allErrors(): Promise<KnownError[]> {
  const found: KnownError[] = [];
  for (const file of globSync("**/errors.ts", { cwd: folder })) {
    const module = (await import(join(folder, file))) as { readonly [name: string]: unknown };
    for (const table of Object.values(module)) {
      const classes = Object.values(table as object) as ErrorClass[];
      for (const [at, entry] of (errorTableEntries(table) ?? []).entries())
        found.push(knownError(entry, classes[at] ?? assert.fail(entry.code)));
    }
  }
  return found;
}

function knownError(entry: ErrorTableEntry, Known: ErrorClass): KnownError {
  const { code } = entry;
  return { code, make: (options) => new Known(detailsFor(entry), options) };
}

/** Details from which a message can be made: what it reads, each as the first of some values that it can work with. */
function detailsFor({ code, row }: ErrorTableEntry): object {
  for (const value of [
    "text",
    7,
    ["text"],
    { reason: "r", atMs: 7 },
    [{ path: "p", message: "m" }],
  ]) {
    const read = new Set<string>();
    const asked = new Proxy(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return value;
        },
      },
    );
    try {
      row.message(asked as never);
    } catch {
      continue;
    }
    return Object.fromEntries([...read].map((name) => [name, value]));
  }
  return assert.fail(code);
}
