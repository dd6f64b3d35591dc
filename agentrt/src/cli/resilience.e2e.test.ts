/** `resilience:` through the real command line, against a model server on a real socket that fails, slows and recovers. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  startProgram,
  startScriptedServer,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Clerk extends Agent {
  override async handle(message: Message) {
    const { fallback } = message.payload;
    const llm = fallback === true ? this.llm : this.llmNamed("bare");
    const reply = await llm.chat({ messages: [{ role: "user", content: "Hi" }] });
    return { answer: reply.content, provider: reply.provider };
  }
}
`;

interface Ports {
  readonly model: string;
  readonly spare: string;
  readonly control: number;
}

function topology({ model, spare, control }: Ports): string {
  const provider = (name: string, url: string): string =>
    `    - { type: openai, name: ${name}, config: { base_url: "${url}/v1", default_model: stub } }`;
  return `plugins:
  models:
${[provider("main", model), provider("spare", spare), provider("bare", model)].join("\n")}
resilience:
  models:
    main:
      timeout: 5
      retry: { max_retries: 0 }
      circuit_breaker: { min_calls: 5, open_for: 600 }
      fallback: spare
    bare:
      retry: { max_retries: 0 }
      circuit_breaker: { min_calls: 5, open_for: 1, probes: 2 }
supervision:
  name: root
  max_restarts: 100
  backoff_base: 0
  children:
    - agent: { name: clerk, type: agents.Clerk, concurrency: 200 }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: ${control} } }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: 0 }
`;
}

/** A model server that does as it is switched, and counts. */
async function startModel() {
  const state = { mode: "up" as "up" | "down" | "held", count: 0 };
  const held: (() => void)[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = await startScriptedServer(async (response) => {
    state.count += 1;
    for (const each of waiting) if (state.count >= each.count) each.resolve();
    if (state.mode === "held") await new Promise<void>((resolve) => held.push(resolve));
    if (state.mode === "down") {
      response.writeHead(503, { "content-type": "application/json" }).end("{}");
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    const message = { role: "assistant", content: "42" };
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.end(JSON.stringify({ model: "stub", choices, usage }));
  });
  return {
    state,
    url: server.url,
    release(): void {
      state.mode = "up";
      for (const resolve of held.splice(0)) resolve();
    },
    /** Settles when so many requests have come. */
    asked: (count: number): Promise<void> =>
      state.count >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function ask(program: Program, payload: object, signal?: AbortSignal) {
  const [, url] = await program.waitFor(/api listens on (\S+)/);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(payload);
  const response = await fetch(`${url}/agents/clerk`, {
    method: "POST",
    headers,
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  const wait = response.headers.get("retry-after");
  return { status: response.status, body: await response.json(), wait };
}

test("an outage of a provider: the fallback answers, the circuit opens, half-open it lets the probes through and no more", async () => {
  await using model = await startModel();
  await using spare = await startModel();
  const control = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology({ model: model.url, spare: spare.url, control }),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { OPENAI_API_KEY: "sk-test" },
  });
  await program.waitFor(/started/);

  // All is well: nobody asks the fallback.
  const well = await ask(program, { fallback: true });
  assert.deepEqual(well.body, { answer: "42", provider: "main" });
  assert.equal(spare.state.count, 0);

  // The provider goes down under a hundred callers: every one is answered.
  model.state.mode = "down";
  const during = await Promise.all(
    Array.from({ length: 100 }, () => ask(program, { fallback: true })),
  );
  for (const { status, body } of during)
    assert.deepEqual({ status, body }, { status: 200, body: { answer: "42", provider: "spare" } });
  assert.equal(spare.state.count, 100);
  await program.waitFor(/circuit is open.*model=main/);
  const askedBefore = model.state.count;
  await ask(program, { fallback: true });
  assert.equal(model.state.count, askedBefore, "an open circuit asks nobody");

  // Without a fallback: the failures are what they are, then the circuit answers at once.
  const failures = [];
  for (let count = 0; count < 6; count += 1) failures.push(await ask(program, {}));
  assert.deepEqual(
    failures.map(({ status }) => status),
    [502, 502, 502, 502, 502, 503],
  );
  const refused = failures.at(-1);
  assert.deepEqual(refused?.body, { error: "agent 'clerk' takes no requests for now" });
  assert.equal(refused?.wait, "1");

  // It recovers, slowly. Two callers try; one leaves, and the next takes its place.
  model.state.mode = "held";
  const atRest = model.state.count;
  let first: Promise<unknown> | undefined;
  const controller = new AbortController();
  while (model.state.count === atRest) {
    first = ask(program, {}, controller.signal);
    await Promise.race([model.asked(atRest + 1), first]);
  }
  const left = assert.rejects(first ?? Promise.resolve());
  const rest = Array.from({ length: 99 }, () => ask(program, {}));
  const early: number[] = [];
  const allButOne = new Promise<void>((resolve) => {
    for (const each of rest)
      void each.then(({ status }) => {
        if (early.push(status) === 98) resolve();
      });
  });
  await model.asked(atRest + 2);
  await allButOne;
  assert.equal(model.state.count, atRest + 2, "the probes and no more");
  assert.deepEqual(new Set(early), new Set([503]));
  controller.abort();
  await left;
  // The runtime learns of it in its own time: until then callers are refused.
  const next: Promise<unknown>[] = [];
  while (model.state.count < atRest + 3) {
    next.push(ask(program, {}));
    await Promise.race([next.at(-1), model.asked(atRest + 3)]);
  }
  model.release();
  assert.equal((await Promise.all(rest)).filter(({ status }) => status === 200).length, 1);
  await Promise.all(next);
  await program.waitFor(/circuit is closed.*model=bare/);

  // What an operator sees.
  const shown = await runProgram(process.execPath, [binary, "topology", "show"], {
    workingDirectory: folder.path,
  });
  assert.match(
    shown.stdout,
    /Circuits:\n {2}model main {2}open {2}failed: \d+\/\d+ {2}refused: \d+ {2}again in: \d+s\n {2}model bare {2}closed {2}/,
  );
  assert.match(shown.stdout, /Resilience: model main → spare · model bare/);
  const snapshot = (await (await fetch(`http://127.0.0.1:${control}/snapshot`)).json()) as {
    readonly circuits: readonly { readonly name: string; readonly state: string }[];
    readonly agents: { readonly [name: string]: { readonly model_fallbacks: number } };
  };
  assert.deepEqual(
    snapshot.circuits.map(({ name, state }) => [name, state]),
    [
      ["main", "open"],
      ["bare", "closed"],
    ],
  );
  assert.equal(snapshot.agents["clerk"]?.model_fallbacks, 101);
  program.kill("SIGTERM");
  const { stdout, stderr } = await program.exited();
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("circuit is"));
  assert.deepEqual(
    lines.map((line) => /circuit is (\S+?):? .*model=(\w+)/.exec(line)?.slice(1)),
    [
      ["open", "main"],
      ["open", "bare"],
      ["half-open", "bare"],
      ["closed", "bare"],
    ],
  );
});
