import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { codetoolCommand, createTemporaryFolder, runProgram, type TemporaryFolder } from "testkit";

const { command, args: firstArgs } = codetoolCommand();

const fileCount = 300;
/** Growth of memory that is let pass between the second fifth of the lines and the last, MiB. */
const growthMiBMax = 40;
/** Answers are left unread for a while at each of these lines: then the batch has to wait. */
const pauseEvery = 1000;

interface Envelope {
  readonly id?: string | number;
  readonly command: string;
  readonly status: string;
  readonly data?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: string };
}

/** A line and what its answer has to be. */
interface Row {
  readonly line: string;
  readonly id: string | undefined;
  readonly check: (answer: Envelope) => void;
}

function makeTree(): TemporaryFolder {
  const files: [string, string][] = Array.from({ length: fileCount }, (_, index) => [
    `src/part${index % 20}/module${index}.ts`,
    `/** Handles case ${index}. */\nexport function handle${index}(value: number): number {\n  return value + ${index};\n}\n`,
  ]);
  return createTemporaryFolder({ "counter.txt": "count = 0\n", ...Object.fromEntries(files) });
}

const poisons: readonly (readonly [line: string, code: string])[] = [
  ["not json at all", "invalid_argument"],
  ['{"cmd":"search"', "invalid_argument"],
  ["[1,2,3]", "invalid_argument"],
  ['{"cmd":"raed","file":"counter.txt"}', "invalid_command"],
  ['{"cmd":"read","file":"nowhere.ts"}', "file_not_found"],
  ['{"cmd":"read","file":"counter.txt","lines":"99"}', "invalid_range"],
  ['{"cmd":"search","query":"(","regex":true}', "invalid_argument"],
  [`{"cmd":"read","file":"${"x".repeat(2 * 1024 * 1024)}"}`, "invalid_argument"],
  [`{"cmd":"edit","file":"counter.txt","find":"absent","replace":"x","apply":true}`, "no_match"],
];

/** Line `index`: each twentieth edits, the next one reads that, each seventh is bad, the others ask. */
function rowOf(index: number): Row {
  const id = `line-${index}`;
  const edits = Math.floor(index / 20);
  const at = index % fileCount;
  const ask = (input: object, check: Row["check"]): Row => ({
    line: JSON.stringify({ ...input, id }),
    id,
    check,
  });
  const isOk = (answer: Envelope): void => assert.equal(answer.status, "ok");
  if (index % 20 === 0)
    return ask(
      {
        cmd: "edit",
        file: "counter.txt",
        find: `count = ${edits}`,
        replace: `count = ${edits + 1}`,
        apply: true,
      },
      (answer) => assert.equal(answer.data?.["applied"], true),
    );
  if (index % 20 === 1)
    return ask({ cmd: "read", file: "counter.txt" }, ({ data }) =>
      assert.equal(
        (data?.["content"] as { text: string } | undefined)?.text,
        `count = ${edits + 1}\n`,
      ),
    );
  if (index % 7 === 3) {
    const [line = "", code] = poisons[index % poisons.length] ?? [];
    return { line, id: undefined, check: ({ error }) => assert.equal(error?.code, code, line) };
  }
  const file = `src/part${at % 20}/module${at}.ts`;
  const firstFile = (answer: Envelope): unknown =>
    (answer.data?.["matches"] as { file: string }[] | undefined)?.[0]?.file;
  const asks = [
    ask({ cmd: "search", query: `handle${at}`, literal: true }, (answer) => isOk(answer)),
    ask({ cmd: "search", query: `Handles case ${at}.` }, (answer) =>
      assert.equal(firstFile(answer), file),
    ),
    ask({ cmd: "search", query: `handle case ${at}`, mode: "bm25" }, isOk),
    ask({ cmd: "outline", file }, isOk),
    ask({ cmd: "find", pattern: `src/part${at % 20}/**`, flat: true, budget: 300 }, isOk),
    ask({ cmd: "exists", pattern: `handle${at}` }, ({ data }) =>
      assert.equal(data?.["exists"], true),
    ),
    ask({ cmd: "read", file, symbol: `handle${at}` }, isOk),
  ];
  return asks[index % asks.length] as Row;
}

interface Batch extends AsyncDisposable {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly pid: number | undefined;
  readonly exited: Promise<number | null>;
}

/** Its output is read only as far as the soak reads. */
function spawnBatch(workingDirectory: string): Batch {
  const child = spawn(command, [...firstArgs, "batch"], {
    cwd: workingDirectory,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    pid: child.pid,
    exited,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** What a process holds now, MiB; 0 where the system does not say. */
function memoryMiB(id: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    // The system has no such file.
    return 0;
  }
}

/**
 * Runs so many lines through one `codetool batch`: questions, edits that each depend on the one before, and bad lines, while the
 * reader pauses now and then.
 *
 * @returns How many lines, how fast, and the memory of the fifths of the run.
 * @throws Error when an answer is wrong, out of order or missing, or memory grows.
 */
export async function soakCodetoolBatch(lineCount: number): Promise<string> {
  using tree = makeTree();
  const workingDirectory = tree.path;
  const indexed = await runProgram(command, [...firstArgs, "index"], { workingDirectory });
  assert.equal(indexed.code, 0, indexed.stdout + indexed.stderr);
  const startedMs = performance.now();
  await using batch = spawnBatch(workingDirectory);
  const { stdin, stdout, pid, exited } = batch;
  const feeding = (async () => {
    for (let index = 0; index < lineCount; index += 1)
      if (!stdin.write(`${rowOf(index).line}\n`)) await once(stdin, "drain");
    stdin.end();
  })();
  // Where the batch ends early, that is found below.
  feeding.catch(() => undefined);
  const fifths: number[] = [];
  let index = 0;
  for await (const text of createInterface({ input: stdout })) {
    const answer = JSON.parse(text) as Envelope;
    const { id, line, check } = rowOf(index);
    assert.equal(answer.id, id, `answer ${index} is that of another line`);
    try {
      check(answer);
    } catch (error) {
      throw new Error(`${line.slice(0, 200)} was answered: ${text.slice(0, 500)}`, {
        cause: error,
      });
    }
    const fifth = Math.floor((index * 5) / lineCount);
    fifths[fifth] = Math.max(fifths[fifth] ?? 0, memoryMiB(pid));
    index += 1;
    // The next answers wait in the pipe and then in the program, which must not read on meanwhile.
    if (index % pauseEvery === 0) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await feeding;
  assert.equal(await exited, 0);
  assert.equal(index, lineCount, "lines without an answer");
  const [, second = 0, , , last = 0] = fifths;
  assert.ok(last - second <= growthMiBMax, `memory grew: ${fifths.join(", ")} MiB`);
  const seconds = (performance.now() - startedMs) / 1000;
  const edits = Math.ceil(lineCount / 20);
  return `codetool-batch: ${lineCount} lines, ${edits} of them edits, all answered in order, ${(lineCount / seconds).toFixed(0)} a second, memory of the fifths of the run ${fifths.join(", ")} MiB`;
}
