/** Every tool through the real process, by the official client: it checks each structured content against the tool's schema. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { codetoolLauncher, createTemporaryRepository, runProgram } from "testkit";
import { commandTable } from "../commands/index.ts";
import { connect } from "./test-support/session.ts";

const source = `/** Tries again. */
export function scheduleRetry(count: number): number {
  return count + 1;
}

export function twice(count: number): number {
  return scheduleRetry(scheduleRetry(count));
}
`;

const initializing = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
};

const files = {
  "src/retry.ts": source,
  "src/use.ts": 'import { twice } from "./retry.ts";\nexport const four = twice(2);\n',
  "src/retry.test.ts": 'import { scheduleRetry } from "./retry.ts";\nscheduleRetry(1);\n',
  "README.md": "# Retries\n",
};

/** For each tool some calls, an error among them where it is not the same everywhere. */
const calls: readonly (readonly [tool: string, input: { readonly [name: string]: unknown }])[] = [
  ["search", { query: "scheduleRetry" }],
  ["search", { query: "how are things tried again", budget: 400 }],
  ["search", { query: "scheduleRetry(", literal: true }],
  ["search", { query: "no such words anywhere", exists: true }],
  ["read", { file: "src/retry.ts" }],
  ["read", { file: "src/retry.ts", outline: true }],
  ["read", { file: "src/retry.ts", symbol: "twice" }],
  ["read", { file: "src/retry.ts", skeleton: true }],
  ["read", { file: "src/retry.ts", hash: true }],
  ["read", { file: "src/retry.ts", mode: "diff" }],
  ["find", {}],
  ["find", { flat: true, changed_since: "HEAD" }],
  ["edit", { file: "src/retry.ts", find: "count + 1", replace: "count + 2" }],
  ["edit", { file: ["src/retry.ts", "src/use.ts"], find: "twice", replace: "thrice" }],
  ["rename", { old: "twice", new: "thrice" }],
  ["outline", { path: "src" }],
  ["outline", { path: "src/retry.ts" }],
  ["context", { path: "src" }],
  ["context", { path: "src/retry.ts" }],
  ["map", {}],
  ["map", { focus: ["src/use.ts"] }],
  ["impact", { file: "src/retry.ts" }],
  ["impact", { file: "src/retry.ts", symbol: "twice" }],
  ["explain", { symbol: "scheduleRetry" }],
  ["explain", { symbol: "nobody" }],
  ["exists", { pattern: "scheduleRetry" }],
  ["run", { command: [process.execPath, "-e", "console.log(7)"] }],
  ["run", { command: [process.execPath, "-e", "process.exit(3)"] }],
  ["diff", {}],
  ["diff", { file: "src/retry.ts" }],
  ["index", { stats: true }],
  ["index", {}],
  ["index", { stats: true }],
  ["search", { query: "scheduleRetry" }],
  ["explain", { symbol: "scheduleRetry" }],
  ["map", {}],
  ["stats", {}],
  ["stats", { verbose: true }],
  ["bench", {}],
  ["read", { file: "none.ts" }],
];

test("every tool answers with what its output schema says", async () => {
  using repository = createTemporaryRepository(files);
  repository.write({ "src/retry.ts": source.replace("count + 1", "count + 3") });
  await using session = await connect(repository.path);
  const { tools } = await session.client.listTools();
  const wanted = commandTable
    .map(({ name }) => name)
    .filter((name) => name !== "init" && name !== "bench-ndcg");
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), wanted.toSorted());
  assert.deepEqual(new Set(calls.map(([name]) => name)), new Set(wanted), "each is called");
  for (const { name, outputSchema, annotations } of tools) {
    assert.deepEqual(outputSchema?.required, ["version", "command", "status", "tokens"], name);
    const data = (outputSchema as Schema).properties?.["data"];
    assert.ok(data?.properties ?? data?.anyOf, `${name} says what its data is`);
    assert.equal(annotations?.openWorldHint, name === "run", name);
    assert.equal(
      annotations?.destructiveHint,
      ["edit", "rename", "run", "stats"].includes(name),
      name,
    );
  }
  for (const [name, input] of calls) {
    const result = await session.client.callTool({ name, arguments: input });
    const [content] = result.content as readonly { readonly text: string }[];
    assert.deepEqual(
      result.structuredContent,
      JSON.parse(content?.text ?? ""),
      `${name} ${JSON.stringify(input)}`,
    );
    const { data } = result.structuredContent as { readonly data?: object };
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    if (data !== undefined) assertDescribed(data, schema, name);
  }
});

test("each argument that names a file or a folder is known as a path, which is kept inside of the roots", () => {
  for (const { name, positionals, flags } of commandTable) {
    if (name === "init" || name === "bench-ndcg") continue;
    for (const positional of positionals)
      if (/^(?:file|files|path|paths|folder)$/.test(positional.name))
        assert.equal(positional.isPath, true, `${name} ${positional.name}`);
    for (const flag of flags)
      if (/FILE|DIR|PATH/.test(flag.placeholder ?? ""))
        assert.equal(flag.isPath, true, `${name} --${flag.name}`);
  }
});

interface Schema {
  readonly properties?: { readonly [name: string]: Schema };
  readonly anyOf?: readonly Schema[];
}

/** Each field of a payload is one that the schema describes. */
function assertDescribed(data: object, schema: unknown, name: string): void {
  const { properties } = schema as Schema;
  const described = properties?.["data"];
  const all = [described, ...(described?.anyOf ?? [])].flatMap((each) =>
    Object.keys(each?.properties ?? {}),
  );
  for (const field of Object.keys(data))
    assert.ok(all.includes(field), `${name}: "${field}" is not in its schema`);
}

test("a name that no tool has, and a file that may be read only outside, are refused", async () => {
  using repository = createTemporaryRepository(files);
  await using session = await connect(repository.path);
  await assert.rejects(session.client.callTool({ name: "serch", arguments: {} }), {
    code: -32602,
    message: /"serch".*search/s,
  });
  for (const uri of [
    "file:///etc/passwd",
    "file:///%2Fetc/passwd",
    "codetool://symbol/%zz",
    "codetool://nothing",
    "http://localhost/",
  ])
    await assert.rejects(session.client.readResource({ uri }), { code: -32602 }, uri);
  await assert.rejects(session.client.getPrompt({ name: "explain_symbol" }), { code: -32602 });
});

test("files come in pages, and are read with the index and symbols as resources; prompts name tools", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`notes/${index}.md`, `# ${index}\n`]),
  );
  const long = "a line of a long file\n".repeat(20_000);
  using repository = createTemporaryRepository({ ...files, ...many, "long.txt": long });
  await using session = await connect(repository.path);
  const uris: string[] = [];
  let cursor: string | undefined;
  let pageCount = 0;
  do {
    const page = await session.client.listResources(cursor === undefined ? {} : { cursor });
    uris.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    pageCount += 1;
  } while (cursor !== undefined);
  assert.equal(pageCount, 3);
  assert.equal(new Set(uris).size, 456);
  const textOf = async (uri: string): Promise<string> => {
    const { contents } = await session.client.readResource({ uri });
    return (contents[0] as { readonly text: string }).text;
  };
  const file = uris.find((uri) => uri.endsWith("/src/retry.ts")) ?? "";
  assert.equal(await textOf(file), source);
  const { contents } = await session.client.readResource({
    uri: pathToFileURL(join(repository.path, "long.txt")).href,
  });
  assert.equal(contents[0]?._meta?.["truncated"], true, "a file that is cut says so");
  assert.match(await textOf("codetool://symbol/scheduleRetry"), /Tries again/);
  assert.match(await textOf("codetool://index"), /index_exists/);
  const { prompts } = await session.client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["explain_symbol", "review_changes", "orient"],
  );
  const prompt = await session.client.getPrompt({
    name: "explain_symbol",
    arguments: { symbol: "twice" },
  });
  assert.match(JSON.stringify(prompt.messages), /`twice`/);
});

test("a hundred calls at once are answered, each with its own; one that writes sees those before it done", async () => {
  using repository = createTemporaryRepository(files);
  await using session = await connect(repository.path);
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      if (index === 50)
        return await session.call("edit", {
          file: "README.md",
          find: "Retries",
          replace: "Attempts",
          apply: true,
        });
      return await session.call("read", { file: index < 50 ? "README.md" : "src/use.ts" });
    }),
  );
  const commands = answers.map(
    (answer) => `${String(answer["command"])} ${String(answer["status"])}`,
  );
  assert.deepEqual(new Set(commands), new Set(["read ok", "edit ok"]));
  const texts = answers.slice(0, 50).map((answer) => JSON.stringify(answer["data"]));
  assert.ok(texts.every((text) => text.includes("# Retries")));
});

test("a diff that fails inside is an error: git in its place would show more than the client's roots", async () => {
  using repository = createTemporaryRepository({
    "fault.mjs": `import path from "node:path";
import { syncBuiltinESMExports } from "node:module";
const { resolve } = path;
path.resolve = (...parts) => {
  // Not in what keeps to the client's roots, which comes before.
  if (/runDiff|resolveDiffTarget/.test(new Error().stack)) throw new TypeError("planted defect");
  return resolve(...parts);
};
syncBuiltinESMExports();
`,
    "broken/a.txt": "one\n",
    "secret/b.txt": "one\n",
  });
  repository.write({ "secret/b.txt": "needle\n", "broken/a.txt": "two\n" });
  const lines = [
    { id: 1, method: "initialize", params: initializing },
    { id: 2, method: "tools/call", params: { name: "diff", arguments: {} } },
  ];
  // Into the executable no defect can be planted from outside.
  const fault = pathToFileURL(join(repository.path, "fault.mjs")).href;
  const exit = await runProgram(process.execPath, ["--import", fault, codetoolLauncher(), "mcp"], {
    workingDirectory: join(repository.path, "broken"),
    input: lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""),
  });
  assert.match(exit.stdout, /internal_error/);
  assert.doesNotMatch(exit.stdout, /needle|fallback/);
});
