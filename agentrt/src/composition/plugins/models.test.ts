/** `plugins.models`: what validation says of it, and the providers that come of it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, startScriptedServer } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  modelReply,
  supervisor,
  TableError,
} from "../../core/index.ts";
import { AnthropicModel, OpenAiModel } from "../../plugins/index.ts";
import { diffTopologies, findUnservedKeys, parseTopology } from "../../topology/index.ts";
import { makeModels, resolveModels } from "./models.ts";
import { nodeKinds } from "../../node-kinds/index.ts";
import { Runtime } from "../runtime.ts";

const tree =
  "supervision: { name: root, children: [{ agent: { name: asker, type: agents.Asker } }] }";

function topologyText(models: string): string {
  return `plugins:\n  models: ${models}\n${tree}\n`;
}

function parse(models: string) {
  return parseTopology(topologyText(models), { fileName: "t.yaml", kinds: nodeKinds });
}

test("every documented setting of the model providers is valid and served", () => {
  for (const models of [
    "[]",
    "null",
    "[{ type: llm_provider_a, config: { default_model: m, max_tokens: 4096, max_retries: 3 } }, { type: llm_provider_b, name: second }]",
    "[{ type: anthropic }, { type: openai }]",
    "[{ type: openai, name: a }, { type: openai, name: b }]",
    "[{ type: openai, config: { api_key: null, api_key_env: MY_KEY, base_url: 'http://127.0.0.1:1/v1', timeout: 0.5, max_retries: 0 } }]",
    "[{ type: anthropic, config: { prices: { claude-next: { input: 1, output: 2.5, cached_input: 0 } } } }]",
    "[{ type: my.Model, config: { any: [thing], api_key: mine } }]",
    "[{ type: './models.ts#MyModel' }]",
  ]) {
    const { topology, problems, notes } = parse(models);
    assert.deepEqual([problems, notes], [[], []], models);
    assert.ok(topology);
    assert.deepEqual(findUnservedKeys(topology), []);
  }
});

test("a wrong setting of a model provider is named with its place, and a key is never repeated", () => {
  for (const [models, found, message] of [
    [
      "[{ type: openai, config: { api_key: sk-hidden-4711 } }]",
      "sk-hidden",
      /plugins\.models\[0\]\.config\.api_key: wanted no key: keys come only from the environment, and api_key_env/,
    ],
    [
      "[{ type: openai, config: { api_key_env: sk-hidden-4711 } }]",
      "sk-hidden",
      /wanted the name of an environment variable/,
    ],
    [
      "[{ type: openai, config: { base_url: 'http://me:hidden-4711@host' } }]",
      "'http",
      /wanted an http or https URL without user, password and query/,
    ],
    ["[{ type: openai, config: { base_url: localhost } }]", "localhost", /http or https URL/],
    ["[{ type: anthropic, config: { max_tokens: 0 } }]", "0 }", /whole number from 1/],
    ["[{ type: anthropic, config: { max_retries: -1 } }]", "-1 }", /whole number from 0 to 100/],
    ["[{ type: anthropic, config: { timeout: 301 } }]", "301", /above 0, at most 300/],
    [
      "[{ type: anthropic, config: { default_modle: m } }]",
      "default_modle",
      /did you mean "default_model"/,
    ],
    [
      "[{ type: anthropic, config: { prices: { m: { input: 1 } } } }]",
      "{ input",
      /output: missing/,
    ],
    [
      "[{ type: anthropic, config: { prices: { m: { input: -1, output: 1 } } } }]",
      "-1",
      /US dollars per million/,
    ],
    ["[{ config: {} }]", "{ config", /type: missing/],
    ["[{ type: opnai }]", "opnai", undefined],
    [
      "[{ type: 'no class path' }]",
      "'no class",
      /wanted one of anthropic, llm_provider_a, openai, llm_provider_b/,
    ],
    [
      "[{ type: openai }, { type: openai }]",
      "openai }]",
      /plugins\.models\[1\]\.type: the entry of line 2 goes by "openai", too/,
    ],
    ["[{ type: openai, name: a }, { type: anthropic, name: a }]", "a }]", /models\[1\]\.name/],
    ["{ type: openai }", "{ type", /a list of plugins/],
  ] as const) {
    const { problems, notes } = parse(models);
    const [problem] = message === undefined ? notes : problems;
    assert.ok(problem, models);
    const line = topologyText(models).split("\n")[1] ?? "";
    assert.equal(problem.line1, 2, models);
    const text = `${problem.path}: ${problem.message}`;
    assert.ok(
      line.slice(problem.column1 - 1).startsWith(found),
      `${models}: ${problem.column1} ${text}`,
    );
    assert.match(text, message ?? /"opnai" is not built in: .*did you mean "openai"/);
    assert.ok(!text.includes("hidden-4711"), text);
  }
});

test("topology diff counts defaults as written and follows models by name", () => {
  const from = parse("[{ type: openai, config: { default_model: m } }]").topology;
  const same = parse(
    "[{ type: openai, config: { max_retries: 3, default_model: m, timeout: 300 } }]",
  );
  const other = parse("[{ type: openai, config: { default_model: n, base_url: 'http://h/v1' } }]");
  assert.ok(from && same.topology && other.topology);
  assert.deepEqual(diffTopologies(from, same.topology, nodeKinds), []);
  const fields = diffTopologies(from, other.topology, nodeKinds).map(({ field, to }) => [
    field,
    to,
  ]);
  assert.deepEqual(fields, [
    ["config.default_model", "n"],
    ["config.base_url", "http://h/v1"],
  ]);
});

/** Makes the providers of a topology, with user classes from a map. */
async function make(
  models: string,
  classes: { readonly [type: string]: unknown } = {},
): Promise<{ names: string[]; made: Awaited<ReturnType<typeof makeModels>>; warnings: string[] }> {
  const { topology } = parse(models);
  assert.ok(topology);
  using folder = createTemporaryFolder({});
  const warnings: string[] = [];
  const { createTypeLoader } = await import("../../plugins/index.ts");
  const loader = createTypeLoader({ projectRoot: folder.path, typeMap: classes });
  try {
    const made = await makeModels(topology, {
      loadClass: (type) => loader.load(type, { group: "models" }),
      warn: (message) => warnings.push(message),
    });
    return { made, names: made.map(({ name }) => name), warnings };
  } finally {
    loader.uninstall();
  }
}

test("types and names lead to providers: built-in, general and of the user's", async () => {
  class Mine {
    readonly config: unknown;
    constructor(config: unknown) {
      this.config = config;
    }
    chat = () => Promise.resolve(modelReply({ model: "mine", content: "" }));
  }
  const { made, names } = await make(
    "[{ type: llm_provider_a }, { type: openai, name: local, config: { default_model: m, timeout: 2, max_retries: 7 } }, { type: my.Mine, config: { a: 1 } }]",
    { "my.Mine": Mine },
  );
  assert.deepEqual(names, ["llm_provider_a", "local", "my.Mine"]);
  const [first, second, third] = made.map(({ provider }) => provider);
  assert.ok(first instanceof AnthropicModel);
  assert.ok(second instanceof OpenAiModel);
  const { defaultModel, timeoutMs, retryCountMax } = second;
  assert.deepEqual(
    { defaultModel, timeoutMs, retryCountMax },
    { defaultModel: "m", timeoutMs: 2000, retryCountMax: 7 },
  );
  assert.ok(third instanceof Mine);
  assert.deepEqual({ ...(third.config as object) }, { a: 1 });
});

test("an installed package goes before a built-in name, and says so", async () => {
  class Theirs {
    chat = () => Promise.resolve(modelReply({ model: "theirs", content: "" }));
  }
  const { made, warnings } = await make("[{ type: openai }]", { openai: Theirs });
  assert.ok(made[0]?.provider instanceof Theirs);
  assert.match(warnings[0] ?? "", /"openai" is that of an installed package/);
});

for (const { title, type, classes, message } of [
  {
    title: "a name that nothing brings",
    type: "opnai",
    classes: {},
    message: /t\.yaml:2:12: Cannot load "opnai": it is neither in typeMap nor an entrypoint/,
  },
  {
    title: "a file that is not there",
    type: "my.Model",
    classes: {},
    message: /t\.yaml:2:12: Cannot load "my\.Model": there is no file \.\/my\.ts/,
  },
  {
    title: "a class that is no provider",
    type: "X",
    classes: {
      X: class Odd {
        ask(): void {}
      },
    },
    message: /t\.yaml:2:12: Cannot make model provider "X": it has no method chat/,
  },
  {
    title: "a constructor that refuses",
    type: "X",
    classes: {
      X: class Picky {
        readonly chat = undefined;
        constructor() {
          throw new Error("want a region");
        }
      },
    },
    message: /Cannot make model provider "X": its constructor refused the config: want a region/,
  },
]) {
  test(`${title} is an error with its place`, async () => {
    await assert.rejects(make(`[{ type: ${type} }]`, classes), (error) => {
      assert.ok(error instanceof TableError);
      assert.match(error.message, message);
      assert.equal(error.exitCode, 1);
      return true;
    });
  });
}

class Asker extends Agent {
  override async handle() {
    const { content, model } = await this.llm.chat({ messages: [{ role: "user", content: "Hi" }] });
    return { content, model };
  }
}

const completion = JSON.stringify({
  model: "stub-1",
  choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 2, completion_tokens: 1 },
});

test("new Runtime({ models }) takes the words of the topology, and objects", async () => {
  await using server = await startScriptedServer((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(completion);
  });
  const config = { base_url: `${server.url}/v1`, default_model: "stub" };
  const log = createTextLog({ write: () => undefined });
  const supervision = supervisor("root", { children: [child(Asker, "asker")] });
  const mine = {
    chat: () => Promise.resolve(modelReply({ model: "mine", content: "Mine" })),
    defaultModel: "m",
  };
  for (const [models, reply] of [
    [[{ type: "openai", config }], { content: "Hello", model: "stub-1" }],
    [[{ name: "mine", provider: mine }, { type: "openai" }], { content: "Mine", model: "mine" }],
  ] as const) {
    await using runtime = new Runtime({ supervision, models, log });
    await runtime.start();
    assert.deepEqual(await runtime.call("asker", {}), reply);
  }
});

test("new Runtime({ models }) refuses unknown types, wrong config and equal names", () => {
  for (const [models, message] of [
    [[{ type: "openia" }], /Cannot make model provider "openia": built in are anthropic/],
    [
      [{ type: "openai", config: { default_modle: "m" } }],
      /config: unknown key "default_modle"; known are api_key,/,
    ],
    [
      [{ type: "openai", config: { timeout: 0 } }],
      /config: timeout: want a number of seconds above 0/,
    ],
    [[{ type: "openai" }, { type: "openai" }], /two model providers named "openai"/],
  ] as const) {
    const supervision = supervisor("root", { children: [child(Asker, "asker")] });
    assert.throws(() => new Runtime({ supervision, models }), { message });
  }
  assert.equal(resolveModels([{ type: "openai", name: "x" }])[0]?.name, "x");
});

test("Runtime.fromTopology() gives agents the models of the file", async () => {
  await using server = await startScriptedServer((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(completion);
  });
  using folder = createTemporaryFolder({
    "t.yaml": topologyText(
      `[{ type: llm_provider_b, config: { base_url: '${server.url}/v1', default_model: stub } }]`,
    ),
  });
  const log = createTextLog({ write: () => undefined });
  const options = { typeMap: { "agents.Asker": Asker }, log };
  await using runtime = await Runtime.fromTopology(join(folder.path, "t.yaml"), options);
  await runtime.start();
  assert.deepEqual(await runtime.call("asker", {}), { content: "Hello", model: "stub-1" });
  assert.equal(runtime.snapshot().agents["asker"]?.lastModel, "stub-1");
});
