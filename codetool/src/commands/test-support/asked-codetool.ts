import assert from "node:assert/strict";
import process from "node:process";
import { createInterface } from "node:readline";
import { codetoolCommand, createTemporaryFolder, runProgram, startProgram } from "testkit";
import type { Envelope } from "../../cli/test-support/codetool.ts";
import type { CommandContext } from "../command.ts";
import { executeCommand } from "../execute-command.ts";
import { existsCommand } from "../exists/index.ts";
import { indexCommand } from "../index-folder/index.ts";
import { outlineCommand } from "../outline/index.ts";
import { ResidentIndexes } from "../resident-indexes.ts";
import { searchCommand } from "../search/index.ts";

/** One question, as a line of `batch` asks it. */
export interface Question {
  readonly cmd: "search" | "exists" | "outline";
  readonly [name: string]: unknown;
}

/**
 * How codetool is asked: in this process with an index opened for each answer, or kept open; over one process that stays; by a
 * process for each question, which a service answers for `serve`, and the process itself for `process`.
 */
export type Way = "opened" | "kept" | "batch" | "mcp" | "serve" | "process";

/** codetool, ready for questions about one tree. */
export interface AskedCodetool extends AsyncDisposable {
  /** Gives the `data` of the answers. */
  ask(questions: readonly Question[]): Promise<readonly unknown[]>;
  /** Brings the index up to date: in this process, or in one of its own beside the one that stays. */
  updateIndex(): Promise<void>;
}

/** Gets codetool ready. */
export function startCodetool(way: Way, workingDirectory: string): AskedCodetool {
  if (way === "serve") return new AskedService(workingDirectory);
  if (way === "process") return new AskedProcesses(workingDirectory);
  return way === "batch" || way === "mcp"
    ? new AskedProcess(way, workingDirectory)
    : new AskedHere(way === "kept", workingDirectory);
}

/** Asks a process that answers one question and ends. */
export async function askOnce(
  { cmd, ...input }: Question,
  workingDirectory: string,
  environment: { readonly [name: string]: string } = { CODETOOL_SERVE: "off" },
): Promise<unknown> {
  const words = Object.entries(input).map(([name, value]) =>
    name === "query" || name === "pattern" || name === "path"
      ? String(value)
      : `--${name.replaceAll("_", "-")}=${String(value)}`,
  );
  const { command, args } = codetoolCommand();
  const exit = await runProgram(command, [...args, cmd, ...words], {
    workingDirectory,
    environment,
  });
  return dataOf(exit.stdout);
}

function dataOf(line: string): unknown {
  const { data, error, fallback } = JSON.parse(line) as Envelope;
  assert.ok(data !== undefined && fallback !== true, line);
  assert.equal(error, undefined);
  return data;
}

const commands = {
  search: searchCommand,
  exists: existsCommand,
  outline: outlineCommand,
  index: indexCommand,
};

class AskedHere implements AskedCodetool {
  readonly #corpora: ResidentIndexes | undefined;
  readonly #context: CommandContext;

  constructor(isKept: boolean, workingDirectory: string) {
    this.#corpora = isKept ? new ResidentIndexes() : undefined;
    const corpora = this.#corpora === undefined ? {} : { corpora: this.#corpora };
    this.#context = { workingDirectory, environment: {}, isFallbackOff: true, ...corpora };
  }

  async ask(questions: readonly Question[]): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (const { cmd, ...input } of questions) answers.push(await this.#run(cmd, input));
    return answers;
  }

  async updateIndex(): Promise<void> {
    await this.#run("index", {});
  }

  async #run(name: keyof typeof commands, input: object): Promise<unknown> {
    const outcome = await executeCommand(commands[name], { ...input }, this.#context);
    assert.ok(!("error" in outcome), `${name}: ${JSON.stringify(outcome)}`);
    return outcome.data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve(this.#corpora?.[Symbol.dispose]());
  }
}

/** Processes that answer one question each. */
class AskedProcesses implements AskedCodetool {
  readonly #workingDirectory: string;

  constructor(workingDirectory: string) {
    this.#workingDirectory = workingDirectory;
  }

  async ask(questions: readonly Question[]): Promise<readonly unknown[]> {
    return await Promise.all(
      questions.map(async (question) => await askOnce(question, this.#workingDirectory)),
    );
  }

  async updateIndex(): Promise<void> {
    await updateByProcess(this.#workingDirectory);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

async function updateByProcess(workingDirectory: string): Promise<void> {
  const { command, args } = codetoolCommand();
  dataOf((await runProgram(command, [...args, "index"], { workingDirectory })).stdout);
}

/** Processes that a service answers for: it answers each of them, or the test ends. */
class AskedService implements AskedCodetool {
  readonly #workingDirectory: string;
  readonly #runtime = createTemporaryFolder();
  readonly #environment = { XDG_RUNTIME_DIR: this.#runtime.path };
  readonly #service: ReturnType<typeof startProgram>;
  readonly #listens: Promise<unknown>;
  #count = 0;

  constructor(workingDirectory: string) {
    this.#workingDirectory = workingDirectory;
    const { command, args } = codetoolCommand();
    const { XDG_RUNTIME_DIR } = this.#environment;
    const environment = { XDG_RUNTIME_DIR };
    const options = { workingDirectory, environment, timeoutMs: 3_600_000 };
    this.#service = startProgram(command, [...args, "serve"], options);
    this.#listens = this.#service.waitFor(/"already_running"/);
  }

  async ask(questions: readonly Question[]): Promise<readonly unknown[]> {
    await this.#listens;
    this.#count += questions.length;
    return await Promise.all(
      questions.map(
        async (question) => await askOnce(question, this.#workingDirectory, this.#environment),
      ),
    );
  }

  async updateIndex(): Promise<void> {
    await this.#listens;
    await this.#run("index");
  }

  async #run(...words: readonly string[]): Promise<unknown> {
    const { command, args } = codetoolCommand();
    const options = { workingDirectory: this.#workingDirectory, environment: this.#environment };
    return dataOf((await runProgram(command, [...args, ...words], options)).stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { services } = (await this.#run("serve", "--status")) as {
      readonly services: readonly { readonly question_count: number }[];
    };
    await this.#run("serve", "--stop");
    await this.#service.exited();
    this.#runtime[Symbol.dispose]();
    // A process may have answered by itself where the machine was busy; most are to be answered by the service.
    const served = services[0]?.question_count ?? 0;
    assert.ok(served > this.#count / 2, `${served} of ${this.#count} questions were served`);
  }
}

/** A `batch` or `mcp` that stays, and gets all questions of a change at once. */
class AskedProcess implements AskedCodetool {
  readonly #way: "batch" | "mcp";
  readonly #workingDirectory: string;
  readonly #program: ReturnType<typeof startProgram>;
  readonly #lines: AsyncIterator<string>;
  #count = 0;

  constructor(way: "batch" | "mcp", workingDirectory: string) {
    this.#way = way;
    this.#workingDirectory = workingDirectory;
    const { command, args } = codetoolCommand();
    const options = { workingDirectory, keepInput: true, timeoutMs: 3_600_000 };
    this.#program = startProgram(command, [...args, way], options);
    const input = this.#program.process.stdout ?? process.stdin;
    this.#lines = createInterface({ input })[Symbol.asyncIterator]();
    if (way === "batch") return;
    const clientInfo = { name: "judge", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    this.#write({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    this.#write({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async ask(questions: readonly Question[]): Promise<readonly unknown[]> {
    const first = this.#count + 1;
    for (const question of questions) {
      this.#count += 1;
      const { cmd, ...input } = question;
      const params = { name: cmd, arguments: input };
      const message = { jsonrpc: "2.0", id: this.#count, method: "tools/call", params };
      this.#write(this.#way === "mcp" ? message : { id: this.#count, ...question });
    }
    const answers: unknown[] = [];
    while (answers.filter((answer) => answer !== undefined).length < questions.length) {
      const { id, text } = await this.#read();
      if (id >= first) answers[id - first] = dataOf(text);
    }
    return answers;
  }

  async updateIndex(): Promise<void> {
    await updateByProcess(this.#workingDirectory);
  }

  #write(message: object): void {
    this.#program.process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** The next answer; over MCP they come in any order. */
  async #read(): Promise<{ readonly id: number; readonly text: string }> {
    const line = await this.#lines.next();
    assert.ok(line.done !== true, `${this.#way} ended: ${this.#program.output.slice(-500)}`);
    const message = JSON.parse(line.value) as {
      readonly id: number;
      readonly result?: { readonly content?: readonly { readonly text: string }[] };
    };
    return { id: message.id, text: message.result?.content?.[0]?.text ?? line.value };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#program.process.stdin?.end();
    await this.#program.exited();
  }
}
