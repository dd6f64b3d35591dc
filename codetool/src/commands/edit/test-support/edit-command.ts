import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ProgramExit } from "testkit";
import { runCodetool } from "../../../cli/test-support/codetool.ts";

/** The number of a user without rights. */
export const nobody = 65_534;
/** Makes a program run as nobody where the user may do everything: no mode stops that one. */
export const user = process.getuid?.() === 0 ? { userId: nobody, groupId: nobody } : {};

interface Payload {
  readonly file: string;
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly changes: readonly {
    readonly line: number;
    readonly function: string | null;
    readonly before: string;
    readonly after: string;
  }[];
  readonly total_replacements: number;
  readonly total_changes: number;
  readonly syntax_valid: boolean | null;
  readonly syntax_error: string | null;
  readonly hash_before: string;
  readonly hash_after: string;
  readonly truncated?: boolean;
  readonly files?: readonly Payload[];
}

/** An envelope of `codetool edit`. */
export interface Answer {
  readonly data: Payload;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly [name: string]: unknown;
  };
  readonly warnings?: readonly string[];
}

/** Runs `codetool edit`. */
export async function run(
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<ProgramExit> {
  return await runCodetool(["edit", ...args], {
    workingDirectory: folder,
    ...(input === undefined ? {} : { input }),
  });
}

/** Runs an edit that must be answered, and gives the answer. */
export async function edit(
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<Answer> {
  const exit = await run(folder, args, input);
  assert.deepEqual([exit.code, exit.stderr], [0, ""], exit.stdout + exit.stderr);
  return JSON.parse(exit.stdout) as Answer;
}

/** Runs an edit that must fail, and checks that no file of the folder was touched. */
export async function refused(folder: string, args: readonly string[]): Promise<Answer["error"]> {
  const before = stateOf(folder);
  const exit = await run(folder, args);
  assert.equal(exit.code, 1, exit.stdout + exit.stderr);
  assert.deepEqual(stateOf(folder), before);
  return (JSON.parse(exit.stdout) as Answer).error;
}

/** Names, bytes and times of all files. */
export function stateOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeNs, mode } = statSync(path, { bigint: true });
      return [path, readFileSync(path).toString("latin1"), mtimeNs, mode] as const;
    })
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** A class with two methods, and a function with the name of one. */
export const source = `class Server {
  start() {
    return 1;
  }

  stop() {
    return 1;
  }
}

export function start() {
  return 1;
}
`;
