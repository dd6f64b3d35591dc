import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository, runProgram } from "testkit";
import { countTokens } from "../text/token-counter.ts";
import {
  isWindows,
  source,
  run,
  answer,
  type ReadData,
  findData,
  pathsOf,
  read,
} from "./test-support/answer.ts";
import { command, type Envelope, firstArgs } from "./test-support/codetool.ts";

test("every command prints one envelope with its keys in order, and the same twice", async () => {
  using folder = createTemporaryFolder({ "src/a.ts": source, "b.py": "def f():\n    pass\n" });
  for (const args of [
    ["read", "src/a.ts"],
    ["find"],
    ["outline", "src/a.ts"],
    ["search", "greet"],
  ]) {
    const { stdout } = await run(args, folder.path);
    const keys = Object.keys(JSON.parse(stdout) as object).filter((key) => key !== "warnings");
    assert.deepEqual(keys, ["version", "command", "status", "tokens", "data"], args.join(" "));
    assert.equal((await run(args, folder.path)).stdout, stdout);
  }
});

test("read, search and find answer where there is no folder to unpack a parser to", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const nowhere = join(folder.path, "a.ts", "none");
  const environment = Object.fromEntries(
    ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "CODETOOL_CACHE_DIR", "TMPDIR", "LOCALAPPDATA"].map(
      (name) => [name, nowhere],
    ),
  );
  const { data } = await answer(["read", "a.ts"], folder.path, environment);
  assert.equal((data as unknown as ReadData).content.text, source);
  for (const args of [["Greeter"], ["class of the greeting", "--mode", "bm25"]]) {
    const found = await answer(["search", ...args], folder.path, environment);
    assert.equal(found.data?.["returned"], 1);
  }
  const counted = await answer(["find", "--outline"], folder.path, environment);
  assert.equal(findData(counted).stats.returned, 1);
});

test("paths are relative to the working directory, or absolute as the argument, and may be given back", async () => {
  using project = createTemporaryFolder({ ".git/HEAD": "", "s/t/a.ts": source });
  using elsewhere = createTemporaryFolder({ "b.ts": source });
  const inside = join(project.path, "s");
  const listed = async (args: readonly string[], from: string): Promise<string[]> =>
    pathsOf(await answer(["find", "--flat", ...args], from));
  assert.deepEqual(await listed([], inside), ["t/a.ts"]);
  assert.deepEqual(await listed(["t"], inside), ["t/a.ts"]);
  assert.deepEqual(await listed([".."], inside), ["../s/t/a.ts"]);
  assert.deepEqual(await listed([inside], project.path), [join(inside, "t/a.ts")]);
  assert.deepEqual(await listed([elsewhere.path], inside), [join(elsewhere.path, "b.ts")]);
  assert.equal((await read(["t/a.ts"], inside)).file, "t/a.ts");
  assert.equal((await read(["../t/a.ts"], join(inside, "t"))).file, "a.ts");
  const { error } = await answer(["read", "s/t/a.ts"], inside);
  assert.deepEqual(
    [error?.code, error?.message, error?.suggestion],
    [
      "file_not_found",
      'Cannot read "s/t/a.ts": it does not exist here, only at the root of the tree',
      'Use "t/a.ts": paths begin at the working directory',
    ],
  );
  const absolute = join(elsewhere.path, "b.ts");
  assert.equal((await read([absolute], inside)).file, absolute);
  assert.equal((await read(["b.ts"], elsewhere.path)).file, "b.ts");
  const tree = findData(await answer(["find", "t", "--tree"], inside)).tree ?? {};
  assert.deepEqual(Object.keys(tree), ["t/"]);
});

test("--budget is kept by every command, counted exactly, down to nothing", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index % 5}/f${index}.ts`,
      source.repeat(1 + (index % 4)),
    ]),
  );
  using folder = createTemporaryFolder(files);
  for (const args of [
    ["find"],
    ["find", "--flat"],
    ["find", "--tree"],
    ["outline", "."],
    ["search", "greet"],
    ["read", "d3/f3.ts"],
    ["read", "d3/f3.ts", "--outline"],
  ]) {
    for (const budget of [150, 400, 1000]) {
      const { stdout } = await run([...args, "--budget", String(budget)], folder.path);
      const envelope = JSON.parse(stdout) as Envelope;
      assert.equal(envelope.tokens, countTokens(stdout.slice(0, -1)), args.join(" "));
      if (envelope.status === "error") assert.equal(envelope.error?.code, "budget_exceeded");
      else
        assert.ok(
          countTokens(JSON.stringify(envelope.data)) <= budget,
          `${args.join(" ")} ${budget}`,
        );
    }
  }
});

test("an answer that is ok never exceeds its budget, however small; the smallest answer is given where it just fits", async () => {
  using repository = createTemporaryRepository({
    "src/a.ts": 'import { b } from "./b.ts";\nexport function greet() { return b; }\n',
    "src/b.ts": "export const b = 1;\n",
  });
  writeFileSync(join(repository.path, "src/b.ts"), "export const b = 2;\n");
  const commands = [
    ["find"],
    ["find", "--flat"],
    ["find", "--tree"],
    ["search", "greet"],
    ["search", "--literal", "nowhere"],
    ["search", "--exists", "greet"],
    ["read", "src/a.ts"],
    ["read", "src/a.ts", "--meta"],
    ["outline", "src"],
    ["exists", "greet"],
    ["context", "src"],
    ["impact", "src/b.ts"],
    ["explain", "greet"],
    ["map", "src"],
    ["diff"],
    ["diff", "--stat-only"],
    ["edit", "src/a.ts", "--find", "greet", "--replace", "greet"],
    ["index"],
  ];
  for (const args of commands) {
    const ask = async (budget: number): Promise<Envelope> =>
      JSON.parse(
        (await run([...args, "--budget", String(budget)], repository.path)).stdout,
      ) as Envelope;
    const needed = /has (\d+)$/.exec((await ask(1)).error?.message ?? "")?.[1];
    assert.ok(needed !== undefined, args.join(" "));
    // The digits of its numbers may be fewer in a smaller answer.
    for (const budget of [2, 5, 10, 20, 40, 80, Number(needed), Number(needed) + 1]) {
      const { status, data, error } = await ask(budget);
      const note = `${args.join(" ")} --budget ${budget}`;
      if (status === "error") assert.equal(error?.code, "budget_exceeded", note);
      else assert.ok(countTokens(JSON.stringify(data)) <= budget, note);
      if (budget > Number(needed)) assert.equal(status, "ok", note);
    }
  }
});

test("an edit whose answer does not fit its budget is not applied", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const args = ["edit", "a.ts", "--find", "greet", "--replace", "meet", "--apply"];
  const refused = JSON.parse(
    (await run([...args, "--budget", "20"], folder.path)).stdout,
  ) as Envelope;
  assert.equal(refused.error?.code, "budget_exceeded");
  assert.equal(readFileSync(join(folder.path, "a.ts"), "utf8"), source);
});

test("--plain prints text alone", async () => {
  using folder = createTemporaryFolder({ "a.ts": source, "s/b.ts": "" });
  assert.equal((await run(["read", "a.ts", "--plain"], folder.path)).stdout, source);
  assert.equal((await run(["find", "--plain"], folder.path)).stdout, "a.ts\ns/b.ts\n");
  const counted = await run(["find", "--plain", "--outline"], folder.path);
  assert.match(counted.stdout, /^a\.ts\t3\ns\/b\.ts\t\d+\n$/);
  const nothing = await run(["search", "--literal", "zzzq", "--plain"], folder.path);
  assert.equal(nothing.stdout, "no matches\n");
  const cut = await run(["read", "a.ts", "--plain", "--budget", "110"], folder.path);
  assert.ok(source.startsWith(cut.stdout) && cut.stdout.length < source.length);
  assert.equal(
    cut.stderr,
    "codetool: warning: Not everything fits 110 tokens: some was left out\n",
  );
  assert.equal(
    (await run(["find", "--plain", "--tree"], folder.path)).stdout,
    "a.ts\ns/\n  b.ts\n",
  );
  assert.match(
    (await run(["read", "a.ts", "--plain", "--outline"], folder.path)).stdout,
    /^2-4\tfunction greet\t/,
  );
});

test(
  "a reader that goes away ends the program quietly, a full disk with one line",
  { skip: isWindows && "needs a POSIX shell" },
  async () => {
    using folder = createTemporaryFolder({ big: "line\n".repeat(200_000) });
    const words = [command, ...firstArgs, "read", "big", "--plain"];
    const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const closed = await runProgram("sh", ["-c", `${quoted} | head -n 1; echo done`], {
      workingDirectory: folder.path,
    });
    assert.deepEqual(
      { stdout: closed.stdout, stderr: closed.stderr },
      { stdout: "line\ndone\n", stderr: "" },
    );
    if (process.platform !== "linux") return;
    const full = await runProgram("sh", ["-c", `${quoted} > /dev/full`], {
      workingDirectory: folder.path,
    });
    assert.equal(full.code, 1);
    assert.match(full.stderr, /^codetool: [^\n]*ENOSPC[^\n]*\n$/);
  },
);

test("batch answers a line while the next is not written yet", async () => {
  using folder = createTemporaryFolder({ a: "text" });
  const child = spawn(command, [...firstArgs, "batch"], {
    cwd: folder.path,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const id of ["1", "2"]) {
    child.stdin.write(`${JSON.stringify({ cmd: "read", file: "a", id })}\n`);
    const { value } = await lines.next();
    assert.equal((JSON.parse(String(value)) as { id: string }).id, id);
  }
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  assert.equal(code, 0);
});

test(
  "a hard link or a link named after a command is that command",
  { skip: isWindows && "needs POSIX links" },
  async () => {
    using folder = createTemporaryFolder({ a: "text\n" });
    const link = join(folder.path, "codetool-read");
    const launcher = firstArgs[0];
    if (launcher === undefined) {
      try {
        linkSync(command, link);
      } catch {
        // Another file system: a copy has the same name.
        copyFileSync(command, link);
      }
    } else symlinkSync(launcher, link);
    const [program, args] =
      launcher === undefined ? [link, ["a", "--plain"]] : [command, [link, "a", "--plain"]];
    const { code, stdout } = await runProgram(program, args, { workingDirectory: folder.path });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "text\n" });
  },
);

test(
  "a working directory that is gone is an error of one line, and of one envelope",
  { skip: isWindows && "a working directory cannot be removed there" },
  async () => {
    const words = [command, ...firstArgs].map((word) => `'${word}'`).join(" ");
    using folder = createTemporaryFolder({ "gone/x": "" });
    const inGone = async (rest: string) =>
      await runProgram(
        "sh",
        ["-c", `mkdir -p gone && cd gone && rm -r ../gone && ${words} ${rest}`],
        {
          workingDirectory: folder.path,
        },
      );
    const { code, stdout, stderr } = await inGone("find");
    assert.equal(code, 1);
    assert.equal(stderr.includes("    at "), false);
    // The executable's own runtime ends before codetool begins.
    if (firstArgs.length === 0) return assert.match(stderr, /^error: .*working directory/);
    const { command: name, error } = JSON.parse(stdout) as Envelope;
    assert.deepEqual([name, error?.code], ["find", "file_not_found"]);
    assert.match(error?.message ?? "", /the working directory was deleted/);
    const help = await inGone("find --help");
    assert.deepEqual([help.code, help.stderr], [0, ""]);
  },
);

test(
  "a closed standard output is no crash",
  { skip: isWindows && "needs a POSIX shell" },
  async () => {
    using folder = createTemporaryFolder({ a: "text" });
    const descriptor = openSync(join(folder.path, "a"), "r");
    const child = spawn(command, [...firstArgs, "read", "a"], {
      cwd: folder.path,
      stdio: ["ignore", descriptor, "pipe"],
    });
    closeSync(descriptor);
    let stderr = "";
    child.stderr?.on("data", (text: Buffer) => (stderr += text.toString("utf8")));
    await once(child, "close");
    assert.match(stderr, /^codetool: [^\n]*EBADF[^\n]*\n$/);
  },
);
