/** `codetool rename` as tests ask it. */
import { type Answer, runCodetool } from "../../../cli/test-support/codetool.ts";
import type { UnresolvedPlace } from "../payload.ts";

interface RenameData {
  readonly applied: boolean;
  readonly files: readonly { readonly file: string }[];
  /** Of a member. */
  readonly members: readonly {
    readonly file: string;
    readonly line: number;
    readonly type: string;
  }[];
  readonly unresolved: readonly UnresolvedPlace[];
}

/** Runs `codetool rename` in a folder, and gives its envelope. */
export async function rename(folder: string, args: readonly string[]): Promise<Answer<RenameData>> {
  const { stdout } = await runCodetool(["rename", ...args], { workingDirectory: folder });
  return JSON.parse(stdout) as Answer<RenameData>;
}
