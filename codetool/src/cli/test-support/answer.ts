import assert from "node:assert/strict";
import process from "node:process";
import { type Envelope, runCodetool } from "./codetool.ts";

/** Whether there are neither modes nor POSIX shells. */
export const isWindows = process.platform === "win32";
/** A function with a comment, and a class that calls it. */
export const source =
  '// A greeting.\nexport function greet(name: string): string {\n  return `hello ${name}`;\n}\n\nexport class Greeter {\n  greet(): void {\n    greet("you");\n  }\n}\n';

/** Runs codetool. */
export async function run(args: readonly string[], workingDirectory: string, environment = {}) {
  return await runCodetool(args, { workingDirectory, environment });
}

/** Runs a command that must print one envelope and nothing else. */
export async function answer(
  args: readonly string[],
  workingDirectory: string,
  environment = {},
): Promise<Envelope> {
  const { code, stdout, stderr } = await run(args, workingDirectory, environment);
  assert.equal(stderr, "");
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  const envelope = JSON.parse(stdout) as Envelope;
  assert.equal(code, envelope.status === "ok" ? 0 : 1);
  return envelope;
}

/** What `codetool read` answers. */
export interface ReadData {
  readonly file: string;
  readonly meta: {
    readonly language: string;
    readonly lines: number;
    readonly bytes: number;
    readonly hash: string;
  };
  readonly content: { readonly range: object; readonly text: string; readonly tokens: number };
  readonly outline: readonly { readonly name: string; readonly lines: object }[];
}

interface FindData {
  readonly tree: object | null;
  readonly flat: readonly {
    readonly path: string;
    readonly lines: number | null;
    readonly symbols: number;
    readonly unsearched?: string;
  }[];
  readonly stats: { readonly total_files: number; readonly returned: number };
}

/** The answer of `codetool find`. */
export function findData(envelope: Envelope): FindData {
  return envelope.data as unknown as FindData;
}

/** The paths that `codetool find` listed. */
export function pathsOf(envelope: Envelope): string[] {
  return findData(envelope).flat.map(({ path }) => path);
}

/** Runs `codetool read`, which must be answered. */
export async function read(args: readonly string[], workingDirectory: string): Promise<ReadData> {
  const { data } = await answer(["read", ...args], workingDirectory);
  return data as unknown as ReadData;
}
