import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codetoolCommand, createTemporaryFolder, runProgram } from "testkit";

const { command, args: firstArgs } = codetoolCommand();
const processCount = 8;
/** Share of the edits that must be in the file; the others were refused. */
const shareMin = 0.95;

/** What `batch` answers to one edit. */
interface Answer {
  readonly id: string;
  readonly status: string;
  readonly data?: { readonly applied: boolean };
  readonly error?: { readonly code: string };
}

/**
 * Eight processes edit one file at once, each so many times: each edit puts a line of its own before the last line. Every
 * edit that was answered as applied is in the file once, every refused one is not, and nearly all are in.
 *
 * @param rounds Edits of each process.
 * @returns What was done.
 * @throws Error that names the edits that are lost.
 */
export async function soakCodetoolEditRace(rounds: number): Promise<string> {
  using folder = createTemporaryFolder({ "shared.txt": "" });
  const path = join(folder.path, "shared.txt");
  writeFileSync(path, "the last line\n");
  const runs = Array.from({ length: processCount }, async (_, process) => {
    const input = Array.from({ length: rounds }, (_each, round) =>
      editLine(`p${process}-${round}`),
    );
    const exit = await runProgram(command, [...firstArgs, "batch"], {
      workingDirectory: folder.path,
      input: input.join(""),
      timeoutMs: 3_600_000,
    });
    assert.equal(exit.code, 0, exit.stderr);
    return exit.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Answer);
  });
  const answers = (await Promise.all(runs)).flat();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  assert.equal(lines.pop(), "the last line");
  const applied = answers.filter(({ data }) => data?.applied === true).map(({ id }) => id);
  assert.deepEqual(lines.toSorted(), applied.toSorted(), "edits lost, or there twice");
  const refused = answers.filter(({ status }) => status === "error");
  for (const { id, error } of refused) assert.equal(error?.code, "file_changed", id);
  assert.equal(applied.length + refused.length, processCount * rounds);
  assert.ok(applied.length >= shareMin * answers.length, `${refused.length} edits were refused`);
  assert.deepEqual(readdirSync(folder.path), ["shared.txt"]);
  return `codetool-edit-race: ${answers.length} edits of one file by ${processCount} processes: ${applied.length} in it, ${refused.length} refused, none lost`;
}

function editLine(id: string): string {
  const edit = { find: "the last line", replace: `${id}\nthe last line`, apply: true };
  return `${JSON.stringify({ id, cmd: "edit", file: "shared.txt", ...edit })}\n`;
}
