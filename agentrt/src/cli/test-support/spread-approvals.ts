import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";
import type { SpreadCase } from "./spread-workers.ts";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

const agents = `
import { appendFileSync } from "node:fs";
import { Agent } from "agentrt";

export class Refunds extends Agent {
  override async handle() {
    return { id: await this.suspendForApproval({ kind: "refund", payload: { amount: 5 }, expiresMs: 86_400_000 }) };
  }
  override async onApproval(approval) {
    this.state["given"] = [...(this.state["given"] ?? []), approval.id];
    appendFileSync("given.log", approval.id + " " + approval.status + " " + approval.isRepeated + "\\n");
  }
}
`;

const topology = (transport: string, state: string, port: number): string => `
transport: ${transport}
plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: refunds, type: keyed, process: heavy, config: { class: agents.Refunds, key: id } }
    - agent: { name: desk, type: agents.Refunds, process: heavy }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /refunds, agent: refunds }
          - { method: POST, path: /desk, agent: desk }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

/** What an operator sees and does at the supervisor. */
class Plane {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`;
  }

  async ask(path: string, body?: JsonObject): Promise<[number, JsonObject]> {
    const response = await fetch(`${this.#url}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    return [response.status, (await response.json()) as JsonObject];
  }

  /** Asks until it is answered with 200; what cannot be at the moment is said by a status that says to try again. */
  async served(path: string, body?: JsonObject): Promise<JsonObject> {
    for (;;) {
      const [status, answer] = await this.ask(path, body);
      if (status === 200) return answer;
      assert.match(String(status), /^50[234]$/, JSON.stringify(answer));
      await new Promise(setImmediate);
    }
  }

  /** @returns All approvals, with what a list says that is answered. */
  async listed(): Promise<readonly JsonObject[]> {
    return (await this.served("/approvals?limit=1000"))["approvals"] as JsonObject[];
  }

  /** Waits for a list that fits; each one that is answered has them all. */
  async untilListed(
    ids: readonly string[],
    fits: (approvals: readonly JsonObject[]) => boolean,
  ): Promise<void> {
    for (;;) {
      const approvals = await this.listed();
      assert.deepEqual(
        approvals.map(({ id }) => id),
        ids.toSorted(),
      );
      if (fits(approvals)) return;
      await new Promise(setImmediate);
    }
  }

  /** Waits until the workers have so much of a node. */
  async untilPlaced(name: string, workerCount: number): Promise<void> {
    for (;;) {
      const { placement = {} } = await this.served(`/agents/${name}`);
      const counts = Object.values(placement as { readonly [worker: string]: number });
      const sum = counts.reduce((one, other) => one + other, 0);
      if (counts.length === workerCount && sum === 256 && !counts.includes(0)) return;
      await new Promise(setImmediate);
    }
  }
}

/** Approvals of keys and of an agent on two workers over what a case has, both of which are killed, and the supervisor, too. */
export function testSpreadApprovals({ name, skip, open }: SpreadCase): void {
  test(
    `${name}: approvals outlive their workers and the supervisor: listed all the time, decided while no worker is there, given once`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.transport, meeting.state, port),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const options = { workingDirectory: folder.path };
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], options);
      const given = (): string[] => {
        const path = join(folder.path, "given.log");
        return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
      };
      const plane = new Plane(port);
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using first = start("--process", "heavy");
      await plane.untilPlaced("refunds", 1);
      const ids = [String((await plane.served("/desk", {}))["id"])];
      for (let count = 0; count < 12; count += 1)
        ids.push(String((await plane.served("/refunds", { id: `k${count}` }))["id"]));
      await using second = start("--process", "heavy");
      await plane.untilPlaced("refunds", 2);
      await plane.untilListed(ids, () => true);

      // Killed between the request and the decision: what it had is decided at the other one.
      first.kill("SIGKILL");
      await first.exited();
      const decided: string[] = [];
      const decide = async (act: "approve" | "deny"): Promise<void> => {
        const id = ids[decided.length] ?? "";
        const { status } = await plane.served(`/approvals/${id}/${act}`, { note: "as agreed" });
        decided.push(`${id} ${String(status)} false`);
      };
      await decide("approve");
      await decide("deny");
      await plane.untilListed(
        ids,
        (all) => all.filter((each) => each["delivered"] === true).length === 2,
      );
      assert.deepEqual(given().sort(), decided.toSorted());

      // Nobody is there: the supervisor takes decisions, and the next one has them.
      second.kill("SIGKILL");
      await second.exited();
      await decide("approve");
      await decide("deny");
      const run = async (...words: string[]) =>
        await runProgram(process.execPath, [binary, "approvals", ...words], options);
      const [fifth = ""] = ids.slice(4);
      assert.match((await run("list")).stdout, new RegExp(fifth));
      assert.match((await run("show", fifth)).stdout, /pending/);
      assert.equal((await run("approve", fifth, "--note", "yes")).code, 0);
      decided.push(`${fifth} approved false`);
      const [again] = await plane.ask(`/approvals/${fifth}/deny`, {});
      assert.equal(again, 409);
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await using next = start();
      await next.waitFor(/started; Ctrl\+C stops/);
      await plane.untilListed(ids, (all) => {
        return all.filter((each) => each["status"] === "pending").length === ids.length - 5;
      });
      await decide("deny");

      await using third = start("--process", "heavy");
      await plane.untilListed(
        ids,
        (all) => all.filter((each) => each["delivered"] === true).length === 6,
      );
      while (decided.length < ids.length) await decide("approve");
      await plane.untilListed(ids, (all) => all.every((each) => each["delivered"] === true));
      const isRepeatable = (line: string): string => line.replace(/true$/, "false");
      assert.deepEqual(given().map(isRepeatable).sort(), decided.toSorted());
      third.kill("SIGTERM");
      next.kill("SIGTERM");
      assert.equal((await next.exited()).code, 0);
    },
  );
}
