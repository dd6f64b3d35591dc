import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { commandTable } from "../commands/index.ts";
import { tokenizerName } from "../text/token-counter.ts";
import { Output } from "./output.ts";
import { runCommandLine } from "./run-command-line.ts";

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line without a process. */
async function run(
  argv: readonly string[],
  options: {
    /** Default `/`; `undefined` for a folder that was deleted. */
    readonly in?: string | undefined;
    readonly invokedAs?: string;
    readonly environment?: { readonly [name: string]: string };
    readonly isTerminal?: boolean;
  } = {},
): Promise<Run> {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: options.isTerminal ?? false,
    on: () => undefined,
    write: (text: string, done?: () => void) => {
      written[name] += text;
      done?.();
      return true;
    },
  });
  async function* noInput(): AsyncGenerator<string> {
    yield await Promise.resolve("");
  }
  const code = await runCommandLine({
    argv,
    invokedAs: [options.invokedAs ?? "codetool"],
    environment: options.environment ?? {},
    workingDirectory: "in" in options ? options.in : "/",
    stdin: noInput(),
    stdout: new Output({ openStream: () => stream("stdout") }),
    stderr: stream("stderr"),
  });
  return { code, ...written };
}

interface UsageEnvelope {
  readonly command: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string; readonly suggestion: string };
}

test("the command line refuses what it does not understand with exit 2, usage and an envelope", async () => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /a command is missing/],
    [["raed", "x"], /"raed": there is no such command; did you mean "read"/],
    [["read"], /<file> is missing: the file to read/],
    [["read", "a", "b"], /"b" is one argument too many/],
    [["read", "a", "--lnes", "3"], /--lnes is not a flag of read; did you mean --lines/],
    [["read", "a", "-x"], /-x is not a flag of read/],
    [["read", "a", "--lines"], /--lines needs N\|N-M: found the end/],
    [["read", "a", "--lines", "--hash"], /found "--hash"; write --lines=--hash/],
    [["read", "a", "--hash=yes"], /--hash takes no value: found "yes"/],
    [["read", "a", "--lines", "1", "--lines", "2"], /--lines is given twice/],
    [["find", "--depth", "two"], /--depth needs a whole number: found "two"/],
    [["find", "--depth", "1.5"], /--depth needs a whole number: found "1.5"/],
    [["find", "--depth", "0"], /"--depth 0": wanted a whole number of at least 1/],
    [["search", "x", "--top-k", "0"], /"--top-k 0": wanted a whole number of at least 1/],
    [["search", "--> x"], /--> x is not a flag of search; write -- before an argument that begins/],
    [
      ["search", "x", "--max-count", "3"],
      /--max-count is not a flag of search; did you mean --top-k N$/m,
    ],
    [["search", "x", "-n"], /-n is not a flag of search: each match has its line$/m],
    [
      ["edit", "a", "--old_string", "b"],
      /--old_string is not a flag of edit; did you mean --find TEXT$/m,
    ],
    [["find", "-name", "*.ts"], /-n is not a flag of find; did you mean --pattern GLOB$/m],
    [
      ["find", "--constructor"],
      /--constructor is not a flag of find; it takes --pattern, --depth, .*; write --/,
    ],
    [["find", "--max-tokens=9"], /--max-tokens is not a flag of find; did you mean --budget N$/m],
    [["find", "--budget", "-5"], /wanted a whole number of at least 1/],
    [["find", "--json", "--plain"], /--plain and --json exclude each other/],
    [["batch", "--plain"], /batch answers only in JSON/],
    [["--depth", "3", "find"], /--depth is not a flag before the command/],
  ];
  for (const [argv, pattern] of rows) {
    const { code, stdout, stderr } = await run(argv);
    assert.equal(code, 2, argv.join(" "));
    assert.match(stderr, pattern);
    if (argv.includes("--plain")) assert.equal(stdout, "", argv.join(" "));
    else {
      const { status, error } = JSON.parse(stdout) as UsageEnvelope;
      assert.equal(status, "error");
      assert.match(error.message, pattern);
      assert.match(error.code, /^invalid_(?:argument|command)$/);
    }
    assert.match(stderr, /\nUsage: codetool/);
    assert.equal(stderr.includes("    at "), false);
  }
});

test("the envelope of a wrong usage names the command, the fault and the help, with --json and without", async () => {
  for (const argv of [
    ["find", "--dpeth", "3"],
    ["find", "--json", "--dpeth", "3"],
    ["-q", "find", "--dpeth", "3"],
  ]) {
    const { code, stdout, stderr } = await run(argv);
    assert.equal(code, 2);
    assert.match(stderr, /did you mean --depth/);
    const { command, error } = JSON.parse(stdout) as UsageEnvelope;
    assert.deepEqual([command, error.code], ["find", "invalid_argument"]);
    assert.equal(error.suggestion, "See `codetool find --help`");
  }
  const { stdout } = await run(["raed", "x"]);
  const { command, error } = JSON.parse(stdout) as UsageEnvelope;
  assert.deepEqual([command, error.code], ["codetool", "invalid_command"]);
  assert.equal(error.suggestion, "See `codetool --help`");
});

test("--help of every command begins with examples and names the tokenizer", async () => {
  for (const name of [...commandTable.map((row) => row.name), "batch"]) {
    for (const argv of [
      [name, "--help"],
      ["-h", name],
      ["help", name],
      // What follows the command of `run` is that command's.
      name === "run" ? [name, "--help", "x"] : [name, "x", "y", "z", "--help"],
    ]) {
      const { code, stdout, stderr } = await run(argv);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" }, argv.join(" "));
      assert.match(stdout, new RegExp(`^codetool ${name}: .*\\n\\nExamples:\\n {2}\\S`));
      assert.ok(stdout.includes(tokenizerName));
      assert.match(stdout, new RegExp(`Usage: codetool ${name} `));
    }
  }
});

test("--help lists all commands and flags, --version the version", async () => {
  const { stdout } = await run(["--help"]);
  for (const name of [...commandTable.map((row) => row.name), "batch"])
    assert.match(stdout, new RegExp(`^ {2}${name} `, "m"));
  for (const flag of ["--json", "--plain", "--budget N", "-q, --quiet", "CODETOOL_MAX_FILE_SIZE"])
    assert.ok(stdout.includes(flag), flag);
  for (const argv of [["--version"], ["-V"], ["read", "--version"]])
    assert.match((await run(argv)).stdout, /^codetool \d+\.\d+\.\d+\n$/);
});

test("a link named after a command is that command", async () => {
  using folder = createTemporaryFolder({ a: "text\n" });
  for (const invokedAs of ["/usr/bin/codetool-read", "codetool-read.exe"]) {
    const { code, stdout } = await run(["a", "--plain"], { in: folder.path, invokedAs });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "text\n" });
  }
});

test("a link named after no command says so, and a copy with a name of its own is the whole program", async () => {
  using folder = createTemporaryFolder({ a: "text\n" });
  const ask = async (invokedAs: string, ...argv: string[]) =>
    await run([...argv, "--plain"], { in: folder.path, invokedAs });
  const near = await ask("codetool-serch", "find");
  assert.equal(near.code, 2);
  assert.match(
    near.stderr,
    /this program is called codetool-serch, and there is no command "serch"; did you mean codetool-search/,
  );
  for (const argv of [["words"], []]) {
    const bogus = await ask("/usr/bin/codetool-bogus.exe", ...argv);
    assert.equal(bogus.code, 2);
    assert.match(
      bogus.stderr,
      /called codetool-bogus.* named after a command, such as codetool-search/,
    );
  }
  for (const name of ["codetool-bogus", "codetool-linux-x64"]) {
    const copy = await ask(name, "read", "a");
    assert.deepEqual(copy, { code: 0, stdout: "text\n", stderr: "" });
    assert.equal((await ask(name, "--help")).code, 0);
  }
});

test("where the working directory was deleted, every command says so, and help is given", async () => {
  for (const argv of [["find"], ["read", "/etc/hosts"], ["batch"], ["search", "x", "--plain"]]) {
    const { code, stdout } = await run(argv, { in: undefined });
    assert.equal(code, 1);
    assert.match(stdout, /file_not_found.*the working directory was deleted/);
    assert.match(stdout, /Change to a folder that exists/);
  }
  assert.equal((await run(["read", "--help"], { in: undefined })).code, 0);
});

test("global flags stand before or after the command, -- ends flags", async () => {
  using folder = createTemporaryFolder({ "--lines": "odd\n" });
  for (const argv of [
    ["--plain", "read", "--", "--lines"],
    ["read", "--plain", "--", "--lines"],
    ["read", "--", "--lines", "--plain"],
  ]) {
    const { code, stdout } = await run(argv, { in: folder.path });
    if (argv.at(-1) === "--plain") assert.equal(code, 2);
    else assert.deepEqual({ code, stdout }, { code: 0, stdout: "odd\n" });
  }
});

test("aliases of flags mean the same", async () => {
  using folder = createTemporaryFolder({ a: "" });
  const rows = [
    ["--tree", "--tree-only"],
    ["--flat", "--flat-only"],
  ] as const;
  for (const [flag, alias] of rows)
    assert.deepEqual(
      await run(["find", flag], { in: folder.path }),
      await run(["find", alias], { in: folder.path }),
    );
});

test("errors with --plain are one line and a remedy on standard output", async () => {
  using folder = createTemporaryFolder({});
  const { code, stdout, stderr } = await run(["read", "none", "--plain"], { in: folder.path });
  assert.deepEqual({ code, stderr }, { code: 1, stderr: "" });
  assert.equal(
    stdout,
    'file_not_found: Cannot read "none": it does not exist\nList what is there with `codetool find`\n',
  );
});

test("a bad variable is refused by every command, a log level is obeyed and -q silences it", async () => {
  using folder = createTemporaryFolder({ a: "" });
  const bad = await run(["find"], { in: folder.path, environment: { CODETOOL_CHUNK_SIZE: "x" } });
  assert.match(bad.stdout, /invalid_argument.*CODETOOL_CHUNK_SIZE=x/);
  assert.equal(bad.code, 1);
  const loud = { CODETOOL_LOG: "debug" };
  const logged = await run(["find"], { in: folder.path, environment: loud });
  assert.match(logged.stderr, /^codetool: debug: find \{\}\n/);
  assert.equal((await run(["find", "-q"], { in: folder.path, environment: loud })).stderr, "");
  assert.equal(
    (await run(["find"], { in: folder.path, environment: { CODETOOL_LOG: "info" } })).stderr,
    "",
  );
});

test("colours are for terminals without NO_COLOR", async () => {
  using folder = createTemporaryFolder({ a: "" });
  const colored = async (environment: { readonly [name: string]: string }, isTerminal: boolean) => {
    const { stderr } = await run(["find"], {
      in: folder.path,
      environment: { CODETOOL_LOG: "debug", ...environment },
      isTerminal,
    });
    return stderr.includes("\u001B[");
  };
  assert.deepEqual(
    [
      await colored({}, true),
      await colored({ NO_COLOR: "1" }, true),
      await colored({ TERM: "dumb" }, true),
      await colored({}, false),
    ],
    [true, false, false, false],
  );
});
