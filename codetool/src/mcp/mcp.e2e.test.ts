import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository, runProgram } from "testkit";
import { runCodetool } from "../cli/test-support/codetool.ts";
import { connect } from "./test-support/session.ts";

const files = {
  "src/retry.ts": "/** Tries again. */\nexport function scheduleRetry() {\n  return 1;\n}\n",
  "README.md": "# Retries\n",
};

test("a client lists the commands as tools and gets the envelopes of the command line", async () => {
  using folder = createTemporaryFolder(files);
  await using session = await connect(folder.path);
  const { tools } = await session.client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    "bench",
    "context",
    "diff",
    "edit",
    "exists",
    "explain",
    "find",
    "impact",
    "index",
    "map",
    "outline",
    "read",
    "rename",
    "run",
    "search",
    "stats",
  ]);
  const search = tools.find(({ name }) => name === "search");
  assert.deepEqual(search?.inputSchema.required, ["query"]);
  assert.deepEqual(search.inputSchema.properties?.["top_k"], {
    type: "integer",
    minimum: 1,
    description: "most matches of one answer (default 5)",
  });
  for (const [name, input, words] of [
    ["search", { query: "scheduleRetry" }, ["search", "scheduleRetry"]],
    ["read", { file: "src/retry.ts", outline: true }, ["read", "src/retry.ts", "--outline"]],
    ["find", { flat: true }, ["find", "--flat"]],
    ["outline", { path: "src", budget: 500 }, ["outline", "src", "--budget", "500"]],
    ["exists", { pattern: "scheduleRetry" }, ["exists", "scheduleRetry"]],
    ["impact", { file: "src/retry.ts", no_tests: true }, ["impact", "src/retry.ts", "--no-tests"]],
    ["context", { path: "src", no_edges: true }, ["context", "src", "--no-edges"]],
  ] as const) {
    const line = await runCodetool(words, {
      workingDirectory: folder.path,
    });
    assert.deepEqual(await session.call(name, input), JSON.parse(line.stdout), name);
  }
});

test("what cannot be answered is an envelope with its error, and the server goes on", async () => {
  using folder = createTemporaryFolder(files);
  await using session = await connect(folder.path);
  for (const [name, input, code] of [
    ["read", { file: "none.ts" }, "file_not_found"],
    ["read", {}, "invalid_argument"],
    ["search", { query: "x", toppk: 3 }, "invalid_argument"],
    ["edit", { file: "README.md" }, "invalid_argument"],
  ] as const) {
    const { error } = (await session.call(name, input)) as { error?: { code: string } };
    assert.equal(error?.code, code, name);
  }
  assert.equal((await session.call("find", {}))["status"], "ok");
});

test("no path leads out of the client's roots, whatever form it has", async () => {
  using outside = createTemporaryFolder({ "secret.txt": "needle\n" });
  using folder = createTemporaryFolder({ "project/a.txt": "alpha\n", "other/b.txt": "beta\n" });
  const project = join(folder.path, "project");
  symlinkSync(outside.path, join(project, "link"));
  symlinkSync(join(outside.path, "secret.txt"), join(project, "file-link"));
  mkdirSync(join(project, "sub"));
  writeFileSync(join(project, "sub", "c.txt"), "gamma\n");
  // Started above: the client's roots count, not the folder.
  await using session = await connect(folder.path, [project]);
  for (const path of [
    join(outside.path, "secret.txt"),
    "../other/b.txt",
    "sub/../../other/b.txt",
    "link/secret.txt",
    "file-link",
    "/etc/passwd",
    "/etc/no-such-file",
    "link/no-such-file",
  ]) {
    for (const [name, input] of [
      ["read", { file: path }],
      ["search", { query: "needle", path }],
      ["find", { path }],
      ["outline", { path }],
      ["exists", { pattern: "needle", path }],
      ["impact", { file: path }],
      ["context", { path }],
      ["diff", { file: path }],
      ["rename", { old: "a", new: "b", path }],
      ["rename", { old: "a", new: "b", in_file: path }],
      ["map", { focus: path }],
      ["explain", { symbol: "needle", path }],
      ["index", { path }],
      ["bench", { path }],
    ] as const) {
      const answer = (await session.call(name, input)) as { error?: { code: string } };
      assert.equal(answer.error?.code, "permission_denied", `${name} ${path}`);
    }
  }
  for (const file of [
    "file-link:1",
    "./file-link#L1",
    "link/secret.txt:1",
    `link/../${basename(outside.path)}/secret.txt`,
    `link/../${basename(outside.path)}/secret.txt:1`,
  ]) {
    const answer = (await session.call("read", { file })) as { error?: { code: string } };
    assert.equal(answer.error?.code, "permission_denied", file);
  }
  const read = (await session.call("read", { file: "sub/c.txt:1" })) as {
    data?: { content?: { text?: string } };
  };
  assert.equal(read.data?.content?.text, "gamma");
  const found = (await session.call("search", { query: "needle" })) as {
    data?: { total_matches?: number };
  };
  assert.equal(found.data?.total_matches, 0);
  for (const [name, input] of [
    ["rename", { old: "needle", new: "pin", in_file: "file-link:1" }],
    ["find", { pattern: "../other/*" }],
    ["find", { pattern: "link/*" }],
    ["search", { query: "beta", glob: "../other/*" }],
    ["search", { query: "needle", glob: "link/*" }],
    ["edit", { glob: "../other/*.txt", find: ["beta"], replace: ["x"], apply: true }],
    ["edit", { glob: "link/*.txt", find: ["needle"], replace: ["x"], apply: true }],
    ["explain", { symbol: "needle" }],
  ] as const) {
    const answer = JSON.stringify(await session.call(name, input));
    const shown = answer.replaceAll(JSON.stringify(input).slice(1, -1), "");
    assert.doesNotMatch(shown, /needle\\n|beta\\n|"path":"\.\.\/|secret\.txt/, `${name} ${answer}`);
  }
  assert.equal(readFileSync(join(outside.path, "secret.txt"), "utf8"), "needle\n");
  assert.equal(readFileSync(join(folder.path, "other/b.txt"), "utf8"), "beta\n");
  const hidden = (await session.call("exists", { pattern: "../other/b.txt" })) as {
    data?: { exists?: boolean };
  };
  assert.equal(hidden.data?.exists, false);
});

test("a diff shows the client's roots alone, where they lie inside of a repository", async () => {
  using repository = createTemporaryRepository({
    "project/a.txt": "alpha\n",
    "secret/a.txt": "one\n",
    "secret/project/a.txt": "two\n",
  });
  const project = join(repository.path, "project");
  repository.write({
    "project/a.txt": "ALPHA\n",
    "secret/a.txt": "needle\n",
    "new.txt": "needle\n",
  });
  await using session = await connect(project, [project]);
  const whole = (await session.call("diff", {})) as { data?: { files?: object } };
  assert.deepEqual(whole.data?.files, { "a.txt": "modified +1 -1" });
  for (const [input, code] of [
    [{ file: "../secret/a.txt" }, "permission_denied"],
    [{ file: repository.path }, "permission_denied"],
    [{ since: "HEAD:secret" }, "invalid_argument"],
    [{ since: "HEAD:secret/a.txt..HEAD:project/a.txt" }, "invalid_argument"],
    [{ since: "--no-index" }, "invalid_argument"],
  ] as const) {
    const { error } = (await session.call("diff", input)) as { error?: { code: string } };
    assert.equal(error?.code, code, JSON.stringify(input));
  }
});

test("what depends on a file is looked for in the client's roots alone", async () => {
  using folder = createTemporaryFolder({
    "project/a.ts": "export const needle = 1;\n",
    "project/b.ts": 'import { needle } from "./a.ts";\nneedle;\n',
    "secret.ts": 'import { needle } from "./project/a.ts";\nneedle;\n',
  });
  const git = await runProgram("git", ["init", "-q"], { workingDirectory: folder.path });
  assert.equal(git.code, 0);
  const project = join(folder.path, "project");
  const files = async (): Promise<unknown> => {
    await using session = await connect(project, [project]);
    const answer = (await session.call("impact", { file: "a.ts" })) as {
      data?: { dependents: readonly { file: string }[] };
    };
    return answer.data?.dependents.map(({ file }) => file);
  };
  assert.deepEqual(await files(), ["b.ts"], "without an index");
  const index = await runCodetool(["index"], {
    workingDirectory: folder.path,
  });
  assert.equal(index.code, 0, index.stderr);
  assert.deepEqual(await files(), ["b.ts"], "with the index of a folder above");
});

test("paths begin at the client's first root; what only another root has is named, and answers can be given back", async () => {
  using folder = createTemporaryFolder({
    "one/a.ts": "export const first = 1;\n",
    "two/a.ts": "export const second = 2;\n",
    "two/b.ts": "export const third = 3;\n",
  });
  const roots = ["one", "two"].map((name) => join(folder.path, name));
  await using session = await connect("/", roots);
  const textOf = async (file: string): Promise<string | undefined> => {
    const { data } = (await session.call("read", { file })) as {
      data?: { content: { text: string } };
    };
    return data?.content.text;
  };
  const listed = async (path?: string): Promise<readonly string[]> => {
    const { data } = (await session.call("find", path === undefined ? {} : { path })) as {
      data: { root: string; flat: readonly { path: string }[] };
    };
    return [data.root, ...data.flat.map((file) => file.path)];
  };
  assert.match((await textOf("a.ts")) ?? "", /first/);
  assert.deepEqual(await listed(), [roots[0], "a.ts"]);
  assert.deepEqual(await listed("../two"), [roots[1], "../two/a.ts", "../two/b.ts"]);
  assert.match((await textOf("../two/a.ts")) ?? "", /second/);
  const absolute = join(folder.path, "two");
  assert.deepEqual(await listed(absolute), [absolute, `${absolute}/a.ts`, `${absolute}/b.ts`]);
  const { error } = (await session.call("read", { file: "b.ts" })) as {
    error?: { code: string; message: string; suggestion: string };
  };
  assert.deepEqual(
    [error?.code, error?.message, error?.suggestion],
    [
      "file_not_found",
      'Cannot read "b.ts": it does not exist here, only in another root of the client',
      'Use "../two/b.ts": paths begin at the working directory',
    ],
  );
});

test("lines that are no messages do not end the server, and the end of its input does", async () => {
  using folder = createTemporaryFolder(files);
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    },
  };
  const exit = await runCodetool(["mcp"], {
    workingDirectory: folder.path,
    input: `no json\n{}\n\n${JSON.stringify(initialize)}\n`,
  });
  assert.equal(exit.code, 0, exit.stderr);
  const [line = ""] = exit.stdout.trim().split("\n");
  const answer = JSON.parse(line) as { id: number; result: { serverInfo: { name: string } } };
  assert.deepEqual([answer.id, answer.result.serverInfo.name], [1, "codetool"]);
});

test("edit stays inside of the client's roots, says that it writes, and writes only when told to", async () => {
  using outside = createTemporaryFolder({ "secret.txt": "needle\n" });
  using folder = createTemporaryFolder({ "project/a.txt": "alpha\n", "other/b.txt": "alpha\n" });
  const project = join(folder.path, "project");
  symlinkSync(join(outside.path, "secret.txt"), join(project, "file-link"));
  await using session = await connect(folder.path, [project]);
  const { tools } = await session.client.listTools();
  const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
  assert.deepEqual(Object.fromEntries(hints)["edit"], false);
  assert.deepEqual(Object.fromEntries(hints)["read"], true);
  for (const file of [
    join(outside.path, "secret.txt"),
    "file-link",
    "../other/b.txt",
    ["a.txt", "../other/b.txt"],
    ["a.txt", "link/../file-link"],
  ]) {
    for (const name of ["file", "path", "files"]) {
      const input = { [name]: file, find: ["a", "e"], replace: ["x", "y"], apply: true };
      const answer = (await session.call("edit", input)) as { error?: { code: string } };
      assert.equal(answer.error?.code, "permission_denied", JSON.stringify(input));
    }
  }
  assert.equal(readFileSync(join(outside.path, "secret.txt"), "utf8"), "needle\n");
  assert.equal(readFileSync(join(folder.path, "other/b.txt"), "utf8"), "alpha\n");
  const input = { file: "a.txt", find: "alpha", replace: "beta" };
  await session.call("edit", input);
  assert.equal(readFileSync(join(project, "a.txt"), "utf8"), "alpha\n");
  const done = (await session.call("edit", { ...input, apply: true })) as {
    data?: { applied?: boolean };
  };
  assert.equal(done.data?.applied, true);
  assert.equal(readFileSync(join(project, "a.txt"), "utf8"), "beta\n");
});
