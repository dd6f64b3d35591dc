/** What is recorded of a crash: enough to repeat it, no secret, and never more than the limits say. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  Agent,
  child,
  createRedactor,
  createTextLog,
  type JsonObject,
  type Message,
  supervisor,
} from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import { CrashFiles } from "./crash-files.ts";
import { CrashMask } from "./crash-mask.ts";
import { CrashRecorder } from "./crash-recorder.ts";
import {
  fileCountMax,
  payloadWeightMax,
  recordCountMaxPerMinuteOfAgent,
  ringLengthMax,
} from "./limits.ts";
import { sourcesOf } from "./source-lines.ts";

const base = mkdtempSync(join(tmpdir(), "agentrt-crashes-"));
after(() => rmSync(base, { recursive: true, force: true }));

interface Steps {
  readonly add?: number;
  readonly isSaved?: boolean;
  readonly crash?: string;
}

/** Adds numbers, saves when it is asked to, and crashes when it is asked to. */
class Adder extends Agent {
  override state: JsonObject = { sum: 0 };

  override async handle({ payload }: Message): Promise<JsonObject> {
    const { add = 0, isSaved = false, crash } = payload as Steps;
    this.state["sum"] = Number(this.state["sum"]) + add;
    if (isSaved) await this.checkpoint();
    if (crash !== undefined) throw new RangeError(crash);
    return this.state;
  }
}

async function withAdder(
  name: string,
  environment: { readonly [name: string]: string } = {},
  isRecorded = true,
): Promise<{
  readonly ask: (steps: Steps & JsonObject, agent?: string) => Promise<void>;
  readonly files: CrashFiles;
  readonly latest: () => CrashBundle;
  readonly crashIds: (string | undefined)[];
  /** What is shown of the crashes. */
  readonly shown: (string | undefined)[];
  readonly clock: VirtualClock;
  readonly recorder: CrashRecorder;
  readonly runtime: Runtime;
}> {
  const clock = new VirtualClock();
  const files = new CrashFiles(join(base, name));
  const log = createTextLog({ write: () => undefined });
  const facts = {
    version: "1.2.3",
    projectFolder: import.meta.dirname,
    folder: name,
    topology: ["topology.yaml"],
    topologyId: "shop",
    models: () => [],
    tools: () => [],
  };
  const masking = { environment, redactor: createRedactor(environment) };
  const recorder = new CrashRecorder({ ...masking, files, facts, log, system: clock });
  const crashTrails = isRecorded ? recorder : new CrashMask(masking);
  const limits = { restartCountMax: 1_000_000, backoffBaseMs: 0 };
  const children = [child(Adder, "adder"), child(Adder, "quiet")];
  const supervision = supervisor("root", { ...limits, children });
  const { scheduler } = clock;
  const runtime = new Runtime({ supervision, crashTrails, log, system: clock, scheduler });
  const crashIds: (string | undefined)[] = [];
  const shown: (string | undefined)[] = [];
  runtime.onEvent((event) => {
    if (event.type !== "agent.crashed") return;
    crashIds.push(event.record?.id);
    shown.push(event.shown?.message);
  });
  await clock.settle(runtime.start());
  const ask = async (steps: Steps & JsonObject, agent = "adder"): Promise<void> => {
    const asked = runtime.call(agent, steps).catch(() => undefined);
    await clock.advance(1000);
    await asked;
  };
  return {
    ask,
    files,
    crashIds,
    shown,
    clock,
    recorder,
    runtime,
    latest: () => files.read(files.ids().at(-1) ?? ""),
  };
}

test("a record holds the message, the state before and after, and what was handled since", async () => {
  const { ask, latest, files, crashIds } = await withAdder("whole");
  await ask({ add: 1 });
  await ask({ add: 2, isSaved: true });
  await ask({ add: 3 });
  await ask({ add: 4, isSaved: true, crash: "too much" });
  const bundle = latest();
  assert.deepEqual(crashIds, [bundle.id]);
  assert.equal(bundle.error.message, "too much");
  assert.equal(bundle.error.name, "RangeError");
  assert.match(bundle.error.at ?? "", /^crash-recorder\.test\.ts:\d+:\d+$/);
  assert.deepEqual(bundle.checkpoint.before, { state: { sum: 3 } });
  assert.deepEqual(bundle.checkpoint.after, { state: { sum: 10 } });
  assert.deepEqual(
    bundle.messages.map(({ sequence, payload }) => [sequence, payload["add"]]),
    [
      [3, 3],
      [4, 4],
    ],
  );
  assert.equal(bundle.message?.id, bundle.messages[1]?.id);
  assert.deepEqual(bundle.replay, { holds: true, reasons: [], from: "checkpoint" });
  assert.deepEqual(bundle.versions.agentrt, "1.2.3");
  assert.ok(bundle.source[0]?.lines.some(({ text }) => text.includes("throw new RangeError")));
  assert.equal(statSync(files.pathOf(bundle.id)).mode & 0o777, 0o600);
});

test("a state that was saved by the life before is the one before, and not what became of it", async () => {
  const { ask, latest } = await withAdder("restored");
  await ask({ add: 5, isSaved: true, crash: "first" });
  await ask({ add: 6 });
  await ask({ add: 7, crash: "second" });
  const { checkpoint, messages, state } = latest();
  assert.deepEqual(checkpoint, { before: { state: { sum: 5 } }, after: { state: { sum: 5 } } });
  assert.deepEqual(state, { sum: 18 });
  assert.deepEqual(
    messages.map(({ sequence }) => sequence),
    [1, 2],
  );
});

test("the same secret is the same placeholder wherever it is, and no secret is in the file", async () => {
  const secrets = { key: "sk-0123456789abcdef", word: "hunter2xyz", variable: "a-long-variable-9" };
  const { ask, files, latest, recorder } = await withAdder("secrets", {
    API_TOKEN: secrets.variable,
  });
  await ask({ add: 1, note: `the word is ${secrets.word}`, password: secrets.word });
  await ask({ crash: `${secrets.word} ${secrets.key} ${secrets.variable}`, apiKey: secrets.key });
  const text = readFileSync(files.pathOf(latest().id), "utf8");
  for (const secret of Object.values(secrets)) assert.ok(!text.includes(secret), secret);
  const { messages, error } = latest();
  const word = messages[0]?.payload["password"] as string;
  assert.match(word, /^<secret-\d+>$/);
  assert.equal(messages[0]?.payload["note"], `the word is ${word}`);
  const key = messages[1]?.payload["apiKey"] as string;
  assert.ok(error.message.startsWith(`${word} ${key} <secret-`));
  assert.equal(new Set(error.message.split(" ")).size, 3);
  const [listed] = await recorder.list();
  assert.deepEqual([listed?.id, listed?.message], [latest().id, error.message]);
});

test("a crash that is not recorded is shown without its secrets, too", async () => {
  const word = "hunter2-as-plain-words";
  const crash = `bad token ${word}`;
  const wanted = "bad token <secret-1>";
  const limited = await withAdder("unrecorded");
  for (let count = 0; count <= recordCountMaxPerMinuteOfAgent; count += 1)
    await limited.ask({ crash, token: word });
  assert.equal(limited.crashIds.at(-1), undefined);
  const shown = Array.from({ length: recordCountMaxPerMinuteOfAgent + 1 }, () => wanted);
  assert.deepEqual(limited.shown, shown);

  const heavy = await withAdder("unrecorded-heavy");
  await heavy.ask({ text: "x".repeat(2 * payloadWeightMax), crash, token: word });
  assert.deepEqual([heavy.shown, heavy.latest().error.message], [[wanted], wanted]);
  assert.equal(heavy.latest().message?.too_large, true);

  const nowhere = await withAdder("unrecorded-nowhere", {}, false);
  await nowhere.ask({ crash: `${crash} and 987654`, token: word, pin: { api_key: 987654 } });
  assert.deepEqual(nowhere.shown, [`${wanted} and <secret-2>`]);
  assert.deepEqual(nowhere.files.ids(), []);

  writeFileSync(join(base, "unrecorded-file"), "");
  const refused = await withAdder("unrecorded-file/below");
  await refused.ask({ crash, token: word });
  assert.deepEqual([refused.crashIds, refused.shown], [[undefined], [wanted]]);
});

test("records of another topology in the same folder are neither listed nor shown", async () => {
  const { ask, files, latest, recorder } = await withAdder("two-topologies");
  await ask({ crash: "own" });
  const { id } = latest();
  const text = readFileSync(files.pathOf(id), "utf8");
  const write = (at: number, topology: object): string => {
    const other = `00000000-000${at}`;
    writeFileSync(
      files.pathOf(other),
      JSON.stringify({ ...(JSON.parse(text) as object), ...topology, id: other }),
    );
    return other;
  };
  const old = { topology_id: undefined };
  const ids = [
    write(0, { topology_id: "bakery" }),
    write(1, old),
    write(2, { ...old, topology: ["bakery.yaml"] }),
    write(3, { ...old, topology: null }),
  ];
  // Those of earlier versions say by which words they are read.
  const listed = async (): Promise<string[]> => (await recorder.list()).map((each) => each.id);
  assert.deepEqual(await listed(), [ids[1], id]);
  assert.deepEqual(await listed(), [ids[1], id]);
  assert.deepEqual(
    [...ids, id].filter((each) => recorder.recordOf(each) !== undefined),
    [ids[1], id],
  );
});

test("what is kept is bounded, and the record says that it does not hold all", async () => {
  const { ask, latest } = await withAdder("bounded");
  for (let count = 0; count < ringLengthMax + 7; count += 1) await ask({ add: 1 });
  await ask({ add: 1, crash: "at last" });
  const { messages, replay, state } = latest();
  assert.equal(messages.length, ringLengthMax);
  assert.equal(messages.at(-1)?.payload["crash"], "at last");
  assert.deepEqual(state, { sum: ringLengthMax + 8 });
  assert.equal(replay.holds, false);
  assert.match(replay.reasons[0] ?? "", /^8 earlier messages/);
});

test("a message that is kept does not keep its reply", async () => {
  const { runtime, clock } = await withAdder("replies");
  const asked = async (): Promise<WeakRef<JsonObject>> => {
    const call = runtime.call("adder", { add: 1 });
    await clock.advance(1000);
    return new WeakRef(await call);
  };
  const reply = await asked();
  // What a reference was made of is kept for the rest of that turn.
  await new Promise(setImmediate);
  assert.ok(globalThis.gc !== undefined, "run with --expose-gc");
  globalThis.gc();
  assert.equal(reply.deref(), undefined);
});

test("large messages are kept in smaller number, and the one at hand always", async () => {
  const { ask, latest } = await withAdder("large");
  for (let count = 0; count < 20; count += 1) await ask({ add: 1, text: "x".repeat(20_000) });
  await ask({ add: 1, crash: "large", text: "y".repeat(200_000) });
  const { messages } = latest();
  assert.ok(messages.length <= 4, `${messages.length}`);
  assert.equal(messages.at(-1)?.payload["crash"], "large");
});

test("a crash loop writes no more files than the limits say, and takes none of another agent's", async () => {
  const { ask, files, clock, crashIds } = await withAdder("loop");
  await ask({ crash: "once" }, "quiet");
  const round = async (): Promise<void> => {
    for (let count = 0; count < recordCountMaxPerMinuteOfAgent + 5; count += 1)
      await ask({ crash: "again" });
    await clock.advance(60_000);
  };
  await round();
  assert.equal(crashIds.filter((id) => id === undefined).length, 5);
  for (let minute = 0; minute < 6; minute += 1) await round();
  await ask({ crash: "once more" }, "quiet");
  const agents = files.ids().map((id) => files.read(id).agent);
  assert.equal(agents.length, fileCountMax);
  assert.equal(agents.filter((agent) => agent === "quiet").length, 2);
  assert.equal(files.ids()[0], crashIds[0]);
  assert.equal(files.ids().at(-1), crashIds.at(-1));
  assert.ok(!files.ids().includes(crashIds[1] ?? ""));
});

test("records of an earlier run are shared out by their agents, too, keys of one agent together", async () => {
  const folder = join(base, "shared");
  const { ask, files, latest } = await withAdder("shared");
  await ask({ crash: "of this run" });
  const { id } = latest();
  const text = readFileSync(files.pathOf(id), "utf8");
  const idOf = (at: number): string => `00000000-${String(at).padStart(4, "0")}`;
  const write = (at: number, agent: string): void => {
    const other = text.replace(id, idOf(at)).replace('"agent": "adder"', `"agent": "${agent}"`);
    writeFileSync(files.pathOf(idOf(at)), other);
  };
  write(0, "old");
  for (let at = 1; at < fileCountMax; at += 1) write(at, `ticket/${at}`);
  const earlier = new CrashFiles(folder);
  earlier.write({ ...latest(), id: idOf(99) }, text);
  assert.deepEqual(
    [earlier.has(idOf(0)), earlier.has(idOf(1)), earlier.has(id)],
    [true, false, true],
  );
  assert.equal(earlier.ids().length, fileCountMax);
});

test("a folder that cannot be written costs the agent nothing but its record", async () => {
  writeFileSync(join(base, "file"), "");
  const { ask, crashIds } = await withAdder("file/below");
  await ask({ crash: "unrecorded" });
  await ask({ crash: "again" });
  assert.deepEqual(crashIds, [undefined, undefined]);
});

test("the spans of the message's trace are in the record, without secrets", async () => {
  const { ask, latest, recorder } = await withAdder("spans");
  const asked: string[] = [];
  recorder.follow(async (traceId) => {
    asked.push(traceId);
    const ids = { traceId, spanId: "0123456789abcdef", parentSpanId: null };
    const attributes = { "http.url": "https://me:hunter2xyz@example.com/" };
    const end = { status: "error", errorMessage: "too much" };
    return [{ name: "handle", ...ids, startMs: 1500, endMs: 2500, attributes, ...end }];
  });
  await ask({ add: 1, crash: "too much" });
  const { spans, message } = latest();
  assert.deepEqual(asked, [message?.trace_id]);
  assert.deepEqual(spans, [
    {
      name: "handle",
      trace_id: message?.trace_id,
      span_id: "0123456789abcdef",
      parent_span_id: null,
      start_time: 1.5,
      end_time: 2.5,
      status: "error",
      error_message: "too much",
      attributes: { "http.url": "https://me:<secret-1>@example.com/" },
    },
  ]);
});

test("a message that looks like a stack leads to no file, and what is not source of the project is not read", async () => {
  const { ask, latest } = await withAdder("invented");
  await ask({
    crash:
      "no\n    at ../../../package.json:1:1\n    at crash-files.ts:3:1\n    at ../../../../../../dev/zero:1:1",
  });
  const { source, error } = latest();
  assert.deepEqual(
    source.map(({ file }) => file),
    ["crash-recorder.test.ts"],
  );
  assert.ok(error.stack.every((line) => !line.includes("package.json")));
  for (const file of ["../../../package.json", "../errors.ts", "fixtures/none.txt", "."])
    assert.deepEqual(sourcesOf(import.meta.dirname, [{ file, line: 1, column: 1 }]), []);
});

test("all below a secret name is secret, and a large payload or state is left out", async () => {
  const { ask, latest, files } = await withAdder("nested");
  const user = "a-user-name-4711";
  await ask({ crash: `not ${user}`, credentials: { user, pin: 987654 } });
  const text = readFileSync(files.pathOf(latest().id), "utf8");
  assert.doesNotMatch(text, /a-user-name-4711|987654/);
  const deep: JsonObject = {};
  for (let at = 0; at < 5000; at += 1) deep[`k${at}`] = at;
  await ask({ crash: "large", deep });
  const { message, replay } = latest();
  assert.deepEqual([message?.payload, message?.too_large], [{}, true]);
  assert.ok(replay.reasons.includes("a payload was too large to be kept"));
  assert.equal(replay.holds, false);
});

test("a damaged record is said to be so, and hides no crash", async () => {
  const { ask, files, latest, recorder } = await withAdder("damaged");
  await ask({ crash: "once" });
  const { id } = latest();
  const whole = latest();
  const damaged = [
    { checkpoint: {} },
    { checkpoint: { before: { state: null }, after: null } },
    { messages: [null] },
    { messages: [{ ...whole.message, payload: undefined }] },
    { message: {} },
    { state: "text" },
    { answers: [{ kind: "tool", name: "t" }] },
    { spans: [3] },
    { tools: {} },
    { source: [{ file: "a.ts" }] },
    { error: { ...whole.error, causes: [null] } },
    { error: { ...whole.error, code: undefined } },
  ].map((part) => JSON.stringify({ ...whole, ...part }));
  writeFileSync(files.pathOf(id), JSON.stringify(whole));
  assert.equal(files.read(id).id, id);
  for (const text of ["{", '{"v":1,"agent":"adder","messages":[]}', ...damaged]) {
    writeFileSync(files.pathOf(id), text);
    assert.throws(() => files.read(id), { code: "AGENTRT_CRASH_UNREADABLE" });
    assert.equal(recorder.recordOf(id), undefined);
    assert.deepEqual(await recorder.list(), []);
  }
});
