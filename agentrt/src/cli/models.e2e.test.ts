/** `plugins.models` through the real command line, against a server on a real socket. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  type ScriptedAnswer,
  startProgram,
  startScriptedServer,
  type TemporaryFolder,
} from "testkit";

const binary = agentrtLauncher();
const key = "sk-very-secret-4711";

const agents = `
import { Agent, type Message } from "agentrt";

export class Clerk extends Agent {
  override async handle(message: Message) {
    const { model, use } = message.payload;
    const llm = typeof model === "string" ? this.llmNamed(model) : this.llm;
    const reply = await llm.chat({
      messages: [{ role: "user", content: String(message.payload["question"]) }],
      ...(typeof use === "string" ? { model: use } : {}),
    });
    return { answer: reply.content, model: reply.model, costUsd: reply.costUsd };
  }
}

export class Teller extends Agent {
  override async handle() {
    const parts: string[] = [];
    for await (const chunk of this.llm.stream({ messages: [{ role: "user", content: "Count" }] }))
      parts.push(chunk.type === "text" ? chunk.text : chunk.type);
    return { parts };
  }
}
`;

const reader = `
import { Agent } from "agentrt";

export class Reader extends Agent {
  override async handle() {
    return { ...(await this.tools.call("mcp://fixture/lines", {})) };
  }
}
`;

const ownModel = `
import { type ModelProvider, modelReply, type ModelRequest } from "agentrt";

export class MyModel implements ModelProvider {
  readonly defaultModel = "mine";
  readonly #prefix: string;
  constructor(config: { prefix?: string }) {
    if (config.prefix === undefined) throw new Error("want a prefix");
    this.#prefix = config.prefix;
  }
  async chat({ model, messages }: ModelRequest) {
    const content = this.#prefix + (messages.at(-1)?.content ?? "");
    return modelReply({ model, content, tokensIn: 1, tokensOut: 1 });
  }
}
`;

function topology(port: number, models: string, clerk = ""): string {
  return `plugins:
  models:
${models}
supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: clerk, type: agents.Clerk${clerk} }
    - agent: { name: teller, type: agents.Teller }
    - name: control
      type: topology_server
      config: { host: 127.0.0.1, port: ${port} }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: 0 }
`;
}

function openAi(url: string, extra = ""): string {
  return `    - { type: openai, config: { base_url: "${url}/v1", default_model: stub${extra} } }`;
}

const answer: ScriptedAnswer = (response, { body }) => {
  const { stream, model } = body as { readonly stream?: boolean; readonly model: string };
  const choice = (parts: object): object => ({
    model: `${model}-2`,
    choices: [{ index: 0, ...parts }],
  });
  if (stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    const usage = { prompt_tokens: 1000, completion_tokens: 1000 };
    const message = { role: "assistant", content: "42" };
    response.end(JSON.stringify({ ...choice({ message, finish_reason: "stop" }), usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const content of ["one ", "two"])
    response.write(`data: ${JSON.stringify(choice({ delta: { content } }))}\n\n`);
  response.write(`data: ${JSON.stringify(choice({ delta: {}, finish_reason: "stop" }))}\n\n`);
  response.end("data: [DONE]\n\n");
};

function start(folder: TemporaryFolder, environment: { [name: string]: string } = {}): Program {
  return startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined, ...environment },
  });
}

async function call(program: Program, agent: string, payload: object) {
  const [, url] = await program.waitFor(/api listens on (\S+)/);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(payload);
  return await fetch(`${url}/agents/${agent}`, { method: "POST", headers, body });
}

async function stop(program: Program): Promise<string> {
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  return exit.stdout + exit.stderr;
}

test("an agent's answer comes through from a server that base_url names, and its use is counted", async () => {
  await using server = await startScriptedServer(answer);
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(
      port,
      openAi(server.url, ", prices: { stub: { input: 1, output: 2 } }"),
    ),
  });
  // The vendor's package would print requests under this variable.
  await using program = start(folder, { OPENAI_API_KEY: key, OPENAI_LOG: "debug" });
  await program.waitFor(/started/);
  const reply = await call(program, "clerk", { question: "What is it?" });
  assert.deepEqual(await reply.json(), { answer: "42", model: "stub-2", costUsd: 0.003 });
  const streamed = await call(program, "teller", {});
  assert.deepEqual(await streamed.json(), { parts: ["one ", "two", "end"] });
  assert.equal(server.requests[0]?.headers["authorization"], `Bearer ${key}`);
  const control = `http://127.0.0.1:${port}`;
  const snapshot = (await (await fetch(`${control}/snapshot`)).json()) as {
    agents: { [name: string]: { [counter: string]: unknown } };
    total_cost_usd: number;
  };
  assert.equal(snapshot.total_cost_usd, 0.003);
  assert.equal(snapshot.agents["clerk"]?.["tokens_in"], 1000);
  assert.equal(snapshot.agents["clerk"]["last_model"], "stub-2");
  const clerk = (await (await fetch(`${control}/agents/clerk`)).json()) as {
    session_turn_count: number;
  };
  assert.equal(clerk.session_turn_count, 1);

  for (const use of ["other", "stub"]) await call(program, "clerk", { use });
  const cost = async (...flags: string[]): Promise<string> => {
    const args = [binary, "cost", ...flags];
    return (await runProgram(process.execPath, args, { workingDirectory: folder.path })).stdout;
  };
  assert.equal(
    await cost(),
    `AGENT   MODEL       CALLS  TOKENS IN  TOKENS OUT      USD
clerk   (2 models)      3       3000        3000   0.0060
clerk   stub-2          2       2000        2000   0.0060
clerk   other-2         1       1000        1000  unknown
teller  stub-2          1          0           0  unknown

MODEL    CALLS  TOKENS IN  TOKENS OUT      USD
stub-2       3       2000        2000   0.0060
other-2      1       1000        1000  unknown

together 0.0060 USD since the start, without 2 calls of unknown price
`,
  );
  const { agents: users, models } = JSON.parse(await cost("--json")) as {
    readonly agents: readonly { readonly name: string; readonly models: readonly object[] }[];
    readonly models: readonly object[];
  };
  const other = {
    model: "other-2",
    calls: 1,
    unpriced_calls: 1,
    tokens_in: 1000,
    tokens_out: 1000,
    cost_usd: 0,
  };
  assert.deepEqual([users[0]?.models[1], models[1]], [other, other]);
  const printed = await stop(program);
  assert.ok(!printed.includes(key), printed);
});

test("a server that refuses crashes the agent with its words, and the key is printed nowhere", async () => {
  await using server = await startScriptedServer((response, { headers }) => {
    response.writeHead(401, { "content-type": "application/json" });
    const message = `bad key in ${JSON.stringify(headers)}`;
    response.end(JSON.stringify({ error: { message } }));
  });
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(await freePort(), openAi(server.url)),
  });
  await using program = start(folder, { OPENAI_API_KEY: key });
  await program.waitFor(/started/);
  const reply = await call(program, "clerk", { question: "?" });
  assert.equal(reply.status, 502);
  const body = await reply.text();
  await program.waitFor(/agent crashed.*it refused the request with status 401: bad key/);
  const printed = body + (await stop(program));
  assert.ok(printed.includes("(hidden)"));
  assert.ok(!printed.includes(key), printed);
});

test("a provider of the user's own, two side by side, and one that nobody configured", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "models.ts": ownModel,
    "topology.yaml": topology(
      await freePort(),
      `    - { type: "./models.ts#MyModel", name: first, config: { prefix: "1:" } }
    - { type: models.MyModel, name: second, config: { prefix: "2:" } }`,
    ),
  });
  await using program = start(folder);
  await program.waitFor(/started/);
  const first = await call(program, "clerk", { question: "a" });
  assert.deepEqual(await first.json(), { answer: "1:a", model: "mine", costUsd: null });
  const second = await call(program, "clerk", { question: "b", model: "second" });
  assert.deepEqual(await second.json(), { answer: "2:b", model: "mine", costUsd: null });
  await call(program, "clerk", { question: "c", model: "third" });
  await program.waitFor(/there is none of that name; there are first, second/);
  await stop(program);
});

test("without a provider the agent's call says what to configure", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(await freePort(), "    []"),
  });
  await using program = start(folder);
  await program.waitFor(/started/);
  await call(program, "clerk", { question: "?" });
  await program.waitFor(/agent crashed.*no model provider is configured/);
  await stop(program);
});

test("without a key the start warns, and a server of one's own is asked all the same", async () => {
  await using server = await startScriptedServer(answer);
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(
      await freePort(),
      `    - { type: anthropic, config: { default_model: m } }\n${openAi(server.url)}`,
    ),
  });
  await using program = start(folder);
  await program.waitFor(/no key: calls of this model provider will fail.*ANTHROPIC_API_KEY/);
  await program.waitFor(/started/);
  const local = await call(program, "clerk", { question: "?", model: "openai" });
  assert.equal(local.status, 200);
  await call(program, "clerk", { question: "?" });
  await program.waitFor(/the environment variable ANTHROPIC_API_KEY holds no key/);
  await stop(program);
});

test("an agent asks with the key that its credentials name, the others with the provider's", async () => {
  await using server = await startScriptedServer(answer);
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(
      await freePort(),
      openAi(server.url),
      ", credentials: { openai: CLERK_KEY }",
    ),
  });
  await using program = start(folder, { OPENAI_API_KEY: key, CLERK_KEY: "sk-of-the-clerk" });
  await program.waitFor(/started/);
  await call(program, "clerk", { question: "?" });
  await call(program, "teller", {});
  await call(program, "clerk", { question: "?" });
  assert.deepEqual(
    server.requests.map(({ headers }) => headers["authorization"]),
    ["Bearer sk-of-the-clerk", `Bearer ${key}`, "Bearer sk-of-the-clerk"],
  );
  const printed = await stop(program);
  assert.ok(!printed.includes(key) && !printed.includes("sk-of-the-clerk"), printed);
});

/** Makes a package look as if nobody had installed it. */
const withoutOpenAi = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== "openai") return next(specifier, context);
    throw Object.assign(new Error("Cannot find package 'openai'"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
`;

for (const { title, models, message, clerk, files = {}, flags = [] } of [
  {
    title: "a key among an agent's credentials",
    models: "    - { type: openai }",
    clerk: `, credentials: { openai: ${key} }`,
    message:
      /credentials\.openai: wanted the name of an environment variable; what was found is not/,
  },
  {
    title: "credentials for a provider that is not there",
    models: "    - { type: openai }",
    clerk: ", credentials: { opnai: CLERK_KEY }",
    message:
      /credentials\.opnai: plugins\.models has no provider named "opnai"; did you mean "openai"/,
  },
  {
    title: "a key in the file",
    models: `    - { type: openai, config: { api_key: ${key} } }`,
    message:
      /^agentrt: topology\.yaml:3:42: plugins\.models\[0\]\.config\.api_key: wanted no key: keys come only from the environment/,
  },
  {
    title: "an unknown provider",
    models: "    - { type: opnai }",
    message: /topology\.yaml:3:7: Cannot load "opnai": .*neither in typeMap nor an entrypoint/,
  },
  {
    title: "an entry without a type",
    models: "    - { name: mine }",
    message: /topology\.yaml:3:7: plugins\.models\[0\]\.type: missing/,
  },
  {
    title: "a constructor that wants other config",
    models: "    - { type: models.MyModel }",
    files: { "models.ts": ownModel },
    message:
      /topology\.yaml:3:7: Cannot make model provider "models\.MyModel": its constructor refused the config: want a prefix/,
  },
  {
    title: "a vendor's package that is not installed",
    models: "    - { type: openai }",
    files: { "hook.mjs": withoutOpenAi },
    flags: ["--import", "./hook.mjs"],
    message:
      /Cannot use model provider "openai": its package is not installed; `npm install openai@/,
  },
] as {
  title: string;
  models: string;
  message: RegExp;
  clerk?: string;
  files?: { [name: string]: string };
  flags?: string[];
}[]) {
  test(`run refuses ${title} in one line, with exit code 1`, async () => {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(await freePort(), models, clerk),
      ...files,
    });
    const exit = await runProgram(process.execPath, [...flags, binary, "run"], {
      workingDirectory: folder.path,
    });
    assert.equal(exit.code, 1, exit.stdout);
    assert.match(exit.stderr, message);
    const text = exit.stdout + exit.stderr;
    assert.ok(!text.includes(key) && !/^\s+at /m.test(text), text);
  });
}

test("agentrt run --record writes down what models answer, and agentrt sim plays it again", async () => {
  await using server = await startScriptedServer(answer);
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "promises.ts": `export const questions = async ({ call, sleep }) => {
  for (let asked = 0; asked < 4; asked += 1) {
    const { answer } = await call("clerk", { question: "What is it?" });
    if (answer !== "42") throw new Error("it says " + answer);
    const { parts } = await call("teller", {});
    if (parts.join() !== "one ,two,end") throw new Error("it tells " + parts.join());
    await sleep(1000);
  }
};
`,
    "topology.yaml": topology(await freePort(), openAi(server.url)),
  });
  await using program = startProgram(
    process.execPath,
    [binary, "run", "--record", "recorded.jsonl"],
    { workingDirectory: folder.path, environment: { OPENAI_API_KEY: key } },
  );
  await program.waitFor(/started/);
  await call(program, "clerk", { question: "What is it?" });
  await call(program, "teller", {});
  await stop(program);
  const path = join(folder.path, "recorded.jsonl");
  const recorded = readFileSync(path, "utf8");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(recorded.trim().split("\n").length, 3, recorded);
  assert.ok(!recorded.includes(key), recorded);
  const asked = server.requests.length;
  const words = ["sim", "topology.yaml", "--models", "recorded.jsonl", "--runs", "20"];
  const played = await runProgram(
    process.execPath,
    [binary, ...words, "--workload", "./promises.ts#questions"],
    { workingDirectory: folder.path },
  );
  assert.equal(played.code, 0, played.stdout + played.stderr);
  assert.equal(server.requests.length, asked, "nobody was asked");
});

test("agentrt run --record writes down what tools answer, too, and agentrt sim plays it again", async () => {
  const server = fileURLToPath(new URL("../tools/fixtures/tool-server.ts", import.meta.url));
  using folder = createTemporaryFolder({
    "agents.ts": reader,
    "promises.ts": `export const reads = async ({ call }) => {
  const { content } = await call("reader", {});
  if (content !== "one\\ntwo") throw new Error("it says " + content);
};
`,
    "topology.yaml": `mcp:
  servers:
    - { name: fixture, command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(server)}] }
supervision:
  name: root
  children:
    - agent: { name: reader, type: agents.Reader }
    - { name: api, type: http_gateway, host: 127.0.0.1, port: 0 }
`,
  });
  const options = { workingDirectory: folder.path };
  const words = [binary, "run", "--record", "recorded.jsonl"];
  await using program = startProgram(process.execPath, words, options);
  await program.waitFor(/started/);
  const reply = await call(program, "reader", {});
  assert.deepEqual(await reply.json(), { content: "one\ntwo" });
  await stop(program);
  const recorded = readFileSync(join(folder.path, "recorded.jsonl"), "utf8").trim().split("\n");
  const kinds = recorded.map((line) => (JSON.parse(line) as { kind: string }).kind);
  assert.equal(kinds.filter((kind) => kind === "tool").length, 1, recorded.join("\n"));
  // A server that nobody can start: what answers is the recording.
  folder.write({
    "topology.yaml": readFileSync(join(folder.path, "topology.yaml"), "utf8").replace(
      JSON.stringify(process.execPath),
      "nobody-runs-this",
    ),
  });
  const simulation = ["--models", "recorded.jsonl", "--workload", "./promises.ts#reads"];
  const played = await runProgram(
    process.execPath,
    [binary, "sim", "--runs", "5", "--calm", ...simulation],
    options,
  );
  assert.equal(played.code, 0, played.stdout + played.stderr);
});
