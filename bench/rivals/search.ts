import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender, Sample } from "../bench.ts";
import { buildExecutable, codetoolPath, prepareRipgrep } from "./cold-start.ts";
import { installPythonPackage, pythonOf } from "./python-package.ts";

/** One query of the fixed list. */
interface Query {
  readonly kind: "question" | "words" | "symbol" | "semantic" | "literal";
  readonly text: string;
}

/** Every tree is asked all of them; they are about networks and databases, which the published trees are about. */
const queries: readonly Query[] = [
  { kind: "question", text: "how are idle connections detected and closed" },
  { kind: "question", text: "where is the reference count of a buffer decreased" },
  { kind: "question", text: "which class decides what a query returns when there is no row" },
  { kind: "question", text: "parse the headers of a chunked response" },
  { kind: "words", text: "connection pool" },
  { kind: "words", text: "retry timeout" },
  { kind: "words", text: "write buffer" },
  { kind: "symbol", text: "ByteBufAllocator" },
  { kind: "symbol", text: "create_engine" },
  { kind: "symbol", text: "scheduleAtFixedRate" },
  { kind: "semantic", text: "give up after too many attempts" },
  { kind: "semantic", text: "turn an object into text" },
  { kind: "literal", text: "channelReadComplete(" },
  { kind: "literal", text: "HttpHeaderNames.CONTENT_LENGTH" },
  { kind: "literal", text: "no such text in any file" },
];

function flagsOf({ kind }: Query): { readonly [flag: string]: true } {
  return kind === "semantic" || kind === "literal" ? { [kind]: true } : {};
}

/** Runs each query some times, after as many runs that are not counted. */
async function sampleQueries(
  asked: readonly Query[],
  isQuick: boolean,
  runOnce: (query: Query) => Promise<void> | void,
): Promise<Sample> {
  const latenciesMs: { [kind: string]: number[] } = {};
  let totalMs = 0;
  let operationCount = 0;
  const roundCount = isQuick ? 3 : 8;
  const warmUpCount = isQuick ? 1 : 3;
  for (let round = -warmUpCount; round < roundCount; round += 1)
    for (const query of asked) {
      const startedMs = performance.now();
      await runOnce(query);
      const tookMs = performance.now() - startedMs;
      if (round < 0) continue;
      (latenciesMs[query.kind] ??= []).push(tookMs);
      totalMs += tookMs;
      operationCount += 1;
    }
  return { operationCount, seconds: totalMs / 1000, latenciesMs };
}

function prepareTree(tree: string): string | undefined {
  const obstacle = buildExecutable();
  if (obstacle !== undefined) return obstacle;
  if (!existsSync(tree)) return `there is no "${tree}"`;
  const { status, stdout } = spawnSync(codetoolPath(), ["index", tree], { encoding: "utf8" });
  return status === 0 ? undefined : `"${tree}" could not be indexed: ${stdout}`;
}

function requireAnswer(text: string, { text: query }: Query): void {
  if (!text.includes('"total_matches":')) throw new Error(`"${query}" was answered with ${text}`);
}

/** codetool, started again for each query. */
export function processSearches(tree: string): Contender {
  return {
    name: `process ${basename(tree)}`,
    prepare: () => prepareTree(tree),
    run: async ({ isQuick }) =>
      await sampleQueries(queries, isQuick, (query) => {
        const flags = Object.keys(flagsOf(query)).map((flag) => `--${flag}`);
        const args = ["search", "--no-serve", ...flags, query.text];
        const { stdout } = spawnSync(codetoolPath(), args, { cwd: tree, encoding: "utf8" });
        requireAnswer(stdout, query);
      }),
  };
}

/** One process over pipes that answers one line with one. */
class Resident implements Disposable {
  readonly #child: ChildProcess;
  #rest = "";
  #onLine: ((line: string) => void) | undefined;

  constructor(program: string, args: readonly string[], tree: string) {
    this.#child = spawn(program, args, { cwd: tree, stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout?.setEncoding("utf8");
    this.#child.stdout?.on("data", (text: string) => {
      this.#rest += text;
      const end = this.#rest.indexOf("\n");
      if (end < 0) return;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      this.#onLine?.(line);
    });
  }

  tell(message: object | string): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** The next line, whatever was asked. */
  async line(): Promise<string> {
    return await new Promise((resolve) => {
      this.#onLine = resolve;
    });
  }

  async ask(message: object | string): Promise<string> {
    const answer = this.line();
    this.tell(message);
    return await answer;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}

/** codetool's `batch`, one line at a time. */
export function batchSearches(tree: string): Contender {
  return {
    name: `batch ${basename(tree)}`,
    prepare: () => prepareTree(tree),
    run: async ({ isQuick }) => {
      using resident = new Resident(codetoolPath(), ["batch"], tree);
      return await sampleQueries(queries, isQuick, async (query) => {
        const line = { cmd: "search", query: query.text, ...flagsOf(query) };
        requireAnswer(await resident.ask(line), query);
      });
    },
  };
}

/** codetool's server of the Model Context Protocol. */
export function mcpSearches(tree: string): Contender {
  return {
    name: `mcp ${basename(tree)}`,
    prepare: () => prepareTree(tree),
    run: async ({ isQuick }) => {
      using resident = new Resident(codetoolPath(), ["mcp"], tree);
      let id = 0;
      const call = async (method: string, params: object): Promise<string> =>
        await resident.ask({ jsonrpc: "2.0", id: (id += 1), method, params });
      const clientInfo = { name: "bench", version: "1" };
      await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      resident.tell({ jsonrpc: "2.0", method: "notifications/initialized" });
      return await sampleQueries(queries, isQuick, async (query) => {
        const input = { query: query.text, ...flagsOf(query) };
        const answer = await call("tools/call", { name: "search", arguments: input });
        requireAnswer(answer.replaceAll('\\"', '"'), query);
      });
    },
  };
}

/** codetool, started again for each query, with a service of the tree that answers it. */
export function serviceSearches(tree: string): Contender {
  return {
    name: `service ${basename(tree)}`,
    prepare: () => prepareTree(tree),
    run: async ({ isQuick }) => {
      const tell = (...args: readonly string[]): void => {
        const { status, stderr } = spawnSync(codetoolPath(), args, { cwd: tree, encoding: "utf8" });
        if (status !== 0) throw new Error(`codetool ${args.join(" ")} ended with: ${stderr}`);
      };
      tell("serve", "--detach");
      try {
        return await sampleQueries(queries, isQuick, (query) => {
          const flags = Object.keys(flagsOf(query)).map((flag) => `--${flag}`);
          const args = ["search", ...flags, query.text];
          const { stdout } = spawnSync(codetoolPath(), args, { cwd: tree, encoding: "utf8" });
          requireAnswer(stdout, query);
        });
      } finally {
        tell("serve", "--stop");
      }
    },
  };
}

const sembleFolder = fileURLToPath(new URL("./semble/", import.meta.url));

/** semble from PyPI, resident, for all but the literals: it knows none. Its model is one of the same shape with random values. */
export function sembleSearches(tree: string): Contender {
  return {
    name: `semble ${basename(tree)}`,
    prepare: () => installPythonPackage(sembleFolder, { name: "semble==0.7.0", minor: 10 }),
    run: async ({ isQuick }) => {
      const args = [join(sembleFolder, "serve.py"), "."];
      using resident = new Resident(pythonOf(sembleFolder), args, tree);
      if ((await resident.line()) !== "ready") throw new Error("semble made no index");
      const asked = queries.filter(({ kind }) => kind !== "literal");
      return await sampleQueries(asked, isQuick, async ({ text }) => {
        const answer = JSON.parse(await resident.ask(text)) as readonly string[];
        if (answer.length === 0) throw new Error(`"${text}" was answered with nothing`);
      });
    },
  };
}

/** ripgrep, only for the literals: it ranks nothing and knows no questions. */
export function ripgrepSearches(tree: string): Contender {
  const literals = queries.filter(({ kind }) => kind === "literal");
  return {
    name: `rg ${basename(tree)}`,
    prepare: prepareRipgrep,
    run: async ({ isQuick }) =>
      await sampleQueries(literals, isQuick, ({ text }) => {
        const args = ["--line-number", "--fixed-strings", "--", text, "."];
        const { status } = spawnSync("rg", args, { cwd: tree, maxBuffer: 1 << 28 });
        if (status !== 0 && status !== 1) throw new Error(`rg ended with ${status}`);
      }),
  };
}
