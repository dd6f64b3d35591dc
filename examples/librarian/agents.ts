/** The agents of the demo: a librarian who knows this repository, a summarizer, and one who crashes now and then. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Agent, GenServer, type Message } from "agentrt";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const codetoolBinary = fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url));

const codetoolTimeoutMs = 20_000;
const questionLengthMax = 500;

interface Match {
  readonly file: string;
  readonly line: number;
  readonly context_name: string | null;
  readonly snippet: string;
}

/** Calls codetool as a coding agent would: a command line in, one JSON envelope out. */
async function codetool<Data>(...args: string[]): Promise<Data> {
  const { stdout } = await promisify(execFile)(process.execPath, [codetoolBinary, ...args], {
    cwd: repository,
    maxBuffer: 16 << 20,
    timeout: codetoolTimeoutMs,
  });
  return (JSON.parse(stdout) as { data: Data }).data;
}

/** Answers questions about this repository: searches it, asks the summarizer for one sentence, names its sources. */
export class Librarian extends Agent {
  override async handle(message: Message) {
    const question = message.payload["question"];
    if (typeof question !== "string" || question.trim() === "") {
      return {
        error:
          "ask with a question, for example ?question=how+does+a+supervisor+restart+its+children",
      };
    }
    // What a stranger asks is data: `--` keeps it from being a flag, and no argument may hold a NUL.
    const text = question.slice(0, questionLengthMax).replaceAll("\0", " ");
    const flags = ["--top-k", "3", "--budget", "3000"];
    const found = await codetool<{ matches: Match[] }>("search", ...flags, "--", text, ".");
    const sources = found.matches.map(({ file, line, context_name }) => ({
      file,
      line,
      symbol: context_name,
    }));
    const snippets = found.matches.map((match) => match.snippet);
    const { summary } = await this.call("summarizer", { question, snippets });
    return { question, answer: summary ?? null, sources };
  }
}

/** Picks the sentence of the snippets' comments that shares most words with the question. */
export class Summarizer extends Agent {
  override async handle(message: Message) {
    const { question, snippets } = message.payload as { question: string; snippets: string[] };
    const words = new Set(question.toLowerCase().match(/[a-z]{3,}/g));
    const sentences = snippets
      .flatMap(
        (snippet) =>
          snippet.match(/(?:\/\*\*?|^\s*\*|\/\/|#)[^\n]*(?:\n\s*(?:\*|\/\/|#)[^\n]*)*/gm) ?? [],
      )
      .map((comment) =>
        comment.replace(/^\s*(?:\/\*\*?|\*\/?|\/\/|#)|\*\/\s*$/gm, " ").replace(/\s+/g, " "),
      )
      .flatMap((text) => text.split(/(?<=[.:;])\s+/))
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length > 20);
    const shared = (sentence: string): number =>
      (sentence.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => words.has(word)).length;
    const best = sentences.sort((a, b) => shared(b) - shared(a))[0];
    return { summary: best ?? "Nothing in the comments answers this; the sources may." };
  }
}

/** Counts its visits, saves the count, and crashes when told to, or by itself every half minute or so. */
export class Flaky extends GenServer {
  override async onStart() {
    this.sendAfter(Math.round(20_000 + 20_000 * Math.random()), { order: "crash" });
  }

  override async handleCall(message: Message) {
    if (message.payload["order"] === "crash") throw new Error("told to crash");
    const visits = Number(this.state["visits"] ?? 0) + 1;
    this.state["visits"] = visits;
    await this.checkpoint();
    return { visits };
  }

  override async handleInfo() {
    throw new Error("a bad day");
  }
}
