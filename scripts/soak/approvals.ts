import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { agentrtLauncher, createTemporaryFolder, freePort, startProgram } from "testkit";
import { makeRandom } from "./random.ts";

const binary = agentrtLauncher();
const spawnedCount = 3;
const keyCount = 20;

/**
 * Each agent pays what was approved, and writes down each payment where no kill loses it, once for each approval: the id is
 * the reference, so one that it gets again is not paid again.
 */
const agents = `
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { Agent, type Approval, type Message } from "agentrt";

const path = process.env["PAID_LOG"] ?? "";
const file = openSync(path, "a");
const paid = new Set(existsSync(path) ? readFileSync(path, "utf8").split("\\n").map((line) => line.split(" ")[0]) : []);

export class Payer extends Agent {
  override async handle({ payload }: Message) {
    const { amount, expiresMs } = payload as { amount: number; expiresMs: number };
    const schema = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
    const id = await this.suspendForApproval({ kind: "pay", payload: { amount }, schema, expiresMs });
    return { id };
  }
  override async onApproval(approval: Approval) {
    const { amount } = approval.granted();
    if (!paid.has(approval.id)) {
      paid.add(approval.id);
      writeSync(file, approval.id + " " + this.name + " " + amount + "\\n");
    } else if (!approval.isRepeated) throw new Error("given twice: " + approval.id);
    this.state["done"] = [...((this.state["done"] ?? []) as string[]), approval.id];
  }
}
export class Spawner extends Agent {
  override async onStart() {
    for (let number = 1; number <= ${spawnedCount}; number += 1)
      await this.spawn("agents.Payer", "spawned-" + number);
  }
  override async handle() { return {}; }
}
`;

const topology = (api: number, ops: number): string => `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - agent: { name: first, type: agents.Payer }
    - agent: { name: second, type: agents.Payer }
    - { name: ticket, type: keyed, class: agents.Payer, key: ticket, idle: 1 }
    - { name: tellers, type: pool, class: agents.Payer, size: 2 }
    - { name: spawning, type: dynamic_supervisor, config: { class_allowlist: ["agents.Payer"] } }
    - agent: { name: spawner, type: agents.Spawner }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${api}, request_timeout: 5 } }
    - { name: ops, type: topology_server, config: { port: ${ops} } }
`;

/** What the people know, who are not killed. */
interface Known {
  /** What was asked for, by id. */
  readonly asked: Map<string, { readonly agent: string; readonly amount: number }>;
  /** What was acknowledged, by id: the amount, or null for a denial. */
  readonly decided: Map<string, number | null>;
  /** Asked for and not answered: nobody knows whether it was decided so. */
  readonly tried: Map<string, Set<number | null>>;
  refusedCount: number;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
}

async function ask(url: string, body?: object): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json", "x-agentrt-fail-if-suspended": "true" },
            body: JSON.stringify(body),
          }),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  } catch {
    // It was killed meanwhile.
    return undefined;
  }
}

/**
 * Kills a topology at random steps while agents ask for approvals and several people decide about each, and looks each time:
 * nothing is paid without its own approval, no acknowledged approval is lost, none is granted twice, and one that was asked for
 * is pending, decided or expired.
 *
 * @param rounds How many kills.
 * @returns What was done.
 * @throws Error that says which approval broke what in which round.
 */
export async function soakApprovals(rounds: number): Promise<string> {
  const [api, ops] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(api, ops),
  });
  const log = join(folder.path, "paid.log");
  appendFileSync(log, "");
  const random = makeRandom(rounds);
  const known: Known = { asked: new Map(), decided: new Map(), tried: new Map(), refusedCount: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    const program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
      environment: { PAID_LOG: log },
      timeoutMs: 120_000,
    });
    await using _ = program;
    await program.waitFor(/started/);
    const isLast = round === rounds;
    let isKilled = false;
    const people = [agentsAsk, decideAll, decideAll].map((act) =>
      act({ api, ops, known, random, isOver: () => isKilled }),
    );
    await rest(isLast ? 1500 : 30 + 400 * random());
    isKilled = true;
    if (!isLast) program.kill("SIGKILL");
    await Promise.all(people);
    if (isLast) await settle(ops, known);
    program.kill("SIGKILL");
    await program.exited();
    assert.doesNotMatch(program.output, /given twice/);
    verify(readFileSync(log, "utf8"), known, { round, isLast });
    if (round % 20 === 0) process.stderr.write(`  kill ${round} of ${rounds}\n`);
  }
  assert.ok(existsSync(log));
  const paidCount = readFileSync(log, "utf8").split("\n").length - 1;
  const grantedCount = [...known.decided.values()].filter((amount) => amount !== null).length;
  return `approvals: ${rounds} kills, ${known.asked.size} asked for, ${grantedCount} approved and ${known.decided.size - grantedCount} denied and acknowledged, ${known.refusedCount} decided by somebody else first, ${paidCount} paid; none without its own approval, none lost, none twice`;
}

interface Person {
  readonly api: number;
  readonly ops: number;
  readonly known: Known;
  readonly random: () => number;
  readonly isOver: () => boolean;
}

async function agentsAsk({ api, known, random, isOver }: Person): Promise<void> {
  const names = ["first", "second", "tellers", "spawned-1", "spawned-2", "spawned-3"];
  for (let amount = 1; !isOver(); amount += 1) {
    const isKey = random() < 0.4;
    const agent = isKey ? "ticket" : (names[Math.floor(random() * names.length)] ?? "first");
    const ticket = isKey ? { ticket: `k${Math.floor(random() * keyCount)}` } : {};
    const expiresMs = random() < 0.1 ? 300 : 3_600_000;
    const answer = await ask(`http://127.0.0.1:${api}/agents/${agent}`, {
      ...ticket,
      amount,
      expiresMs,
    });
    const id = answer?.body["id"];
    if (typeof id === "string") known.asked.set(id, { agent, amount });
    await rest(random() * 10);
  }
}

async function decideAll({ ops, known, random, isOver }: Person): Promise<void> {
  while (!isOver()) {
    const page = await ask(`http://127.0.0.1:${ops}/approvals?status=pending`);
    const pending = (page?.body["approvals"] ?? []) as { readonly id: string }[];
    for (const { id } of pending) {
      if (isOver() || random() < 0.3) continue;
      await decideOne(ops, known, { id, draw: random() });
    }
    await rest(random() * 10);
  }
}

async function decideOne(
  ops: number,
  known: Known,
  { id, draw }: { readonly id: string; readonly draw: number },
): Promise<void> {
  const isDenied = draw < 0.2;
  const edited = 1000 + Math.floor(draw * 1000);
  const amount = isDenied ? null : draw < 0.5 ? edited : (known.asked.get(id)?.amount ?? edited);
  const tried = known.tried.get(id) ?? new Set();
  known.tried.set(id, tried.add(amount));
  const url = `http://127.0.0.1:${ops}/approvals/${id}/${isDenied ? "deny" : "approve"}`;
  const answer = await ask(url, isDenied ? {} : { payload: { amount } });
  if (answer?.status === 200) {
    assert.ok(!known.decided.has(id), `${id} was decided twice`);
    known.decided.set(id, amount);
  } else if (answer !== undefined) {
    assert.ok([404, 409, 503].includes(answer.status), JSON.stringify(answer));
    known.refusedCount += 1;
  }
}

/** Waits until the agents have all that was decided. */
async function settle(ops: number, known: Known): Promise<void> {
  for (let count = 0; count < 200; count += 1) {
    const page = await ask(`http://127.0.0.1:${ops}/approvals?limit=1000&status=approved`);
    const open = ((page?.body["approvals"] ?? []) as { delivered: boolean }[]).filter(
      ({ delivered }) => !delivered,
    );
    if (page !== undefined && open.length === 0) return;
    await rest(50);
  }
  throw new Error(`after ${known.decided.size} decisions some are not given to their agents`);
}

function verify(
  log: string,
  { asked, decided, tried }: Known,
  { round, isLast }: { readonly round: number; readonly isLast: boolean },
): void {
  const paid = new Map<string, { readonly agent: string; readonly amount: number }>();
  for (const line of log.split("\n").slice(0, -1)) {
    const [id = "", agent = "", text] = line.split(" ");
    const where = `round ${round}: ${id} of ${agent}`;
    assert.ok(!paid.has(id), `${where} is paid twice`);
    paid.set(id, { agent, amount: Number(text) });
    const granted = decided.get(id);
    if (granted === undefined)
      assert.ok(tried.get(id)?.has(Number(text)), `${where} is paid and nobody approved ${text}`);
    else assert.equal(Number(text), granted, `${where} is paid, and ${granted} was approved`);
    const by = asked.get(id)?.agent;
    assert.ok(by === undefined || agent === by || agent.startsWith(`${by}/`), `${where}: of ${by}`);
  }
  if (!isLast) return;
  for (const [id, amount] of decided)
    assert.ok(amount === null || paid.has(id), `${id} was approved, acknowledged, and is lost`);
}

function rest(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
