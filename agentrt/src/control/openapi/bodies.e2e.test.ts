/** What the control plane of `agentrt run` answers is what its own description says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { freePort } from "testkit";
import { startTopology } from "../../gateway/e2e/test-support/running-topology.ts";
import { transportCases, WorkerTopology } from "../test-support/worker-topology.ts";
import { operations } from "./index.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle(message: Message) {
    if (message.type === "crash") throw new Error("as told");
    return {};
  }
}
`;
const topology = (
  port: number,
  transport?: string,
): string => `${transport === undefined ? "" : `transport: ${transport}\n`}resilience:
  agents: { desk: { circuit_breaker: {} } }
supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk, capabilities: [write]${transport === undefined ? "" : ", process: back"} }
    - { name: members, type: pool, class: agents.Desk, size: 1, budget: { usd: 1, per: hour } }
    - { name: ticket, type: keyed, class: agents.Desk, key: id }
    - { name: sessions, type: dynamic_supervisor }
    - { name: topo, type: topology_server, config: { port: ${port}, prefix: /ops } }
`;

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses: {
          readonly [status: string]: { readonly content: { readonly [type: string]: object } };
        };
      };
    };
  };
}

/** What each POST is sent; the others take no body. */
const bodies: { readonly [route: string]: object } = {
  "POST /agents/{name}/suspend": { reason: "a look", category: "governance_pause" },
  "POST /agents/{name}/mailbox": { type: "crash" },
};

/** A tree that runs, with the agent `desk` in one of its processes. */
interface Running extends AsyncDisposable {
  readonly port: number;
  readonly topology: string;
}

/** Where `desk` is: in the process that is asked, or on a worker of each transport. */
const places: readonly {
  readonly name: string;
  readonly skip: string | false;
  readonly start: () => Promise<Running>;
}[] = [
  {
    name: "in_process",
    skip: false,
    start: async () => {
      const port = await freePort();
      const text = topology(port);
      const running = await startTopology({ topology: text, files: { "agents.ts": agents } });
      return {
        port,
        topology: text,
        [Symbol.asyncDispose]: async () => await running[Symbol.asyncDispose](),
      };
    },
  },
  ...transportCases.map((each) => ({
    ...each,
    start: async (): Promise<Running> => {
      const files = {
        topology: (section: string, port: number) => topology(port, section),
        agents,
      };
      const setup = await WorkerTopology.open(each, files);
      await setup.start();
      await setup.start("back");
      await setup.until("GET /ops/agents/desk", ({ status }) => status === "RUNNING");
      const text = readFileSync(join(setup.folder, "topology.yaml"), "utf8");
      const end = async (): Promise<void> => await setup[Symbol.asyncDispose]();
      return { port: setup.port, topology: text, [Symbol.asyncDispose]: end };
    },
  })),
];

for (const { name: place, skip, start } of places)
  test(
    `${place}: every route answers as the control plane's own description says`,
    { skip },
    async () => {
      await using running = await start();
      const { port } = running;
      const base = `http://127.0.0.1:${port}/ops`;
      const document = (await (await fetch(`${base}/topology/openapi.json`)).json()) as Described;
      const ajv = new Ajv2020({ strict: false });
      ajv.addSchema(document, "control");
      const pointerOf = (...words: readonly string[]): string =>
        words
          .map((word) => `/${encodeURIComponent(word.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
          .join("");
      const sentTo = (route: string): object =>
        /(?:plan|apply)$/.test(route) ? { topology: running.topology } : {};
      /** Of a message that waits. */
      let messageId = "none";
      const ask = async (route: string, name: string, body?: object): Promise<number> => {
        const [method = "", path = ""] = route.split(" ");
        const response = await fetch(
          `${base}${path.replace("{name}", name).replace("{id}", path.includes("{name}") ? messageId : name || "none")}`,
          {
            method,
            ...(method === "POST"
              ? {
                  headers: { "content-type": "application/json" },
                  body: JSON.stringify(body ?? bodies[route] ?? sentTo(route)),
                }
              : {}),
          },
        );
        const described = document.paths[`/ops${path}`]?.[method.toLowerCase()]?.responses;
        const [type = "none"] = Object.keys(described?.[response.status]?.content ?? {});
        const what = `${route} of ${name}: ${response.status}`;
        assert.equal(response.headers.get("content-type")?.split(";", 1)[0], type, what);
        if (type !== "application/json") {
          await response.body?.cancel();
          return response.status;
        }
        const place = ["paths", `/ops${path}`, method.toLowerCase(), "responses"];
        const pointer = pointerOf(...place, String(response.status), "content", type, "schema");
        const validate = ajv.getSchema(`control#${pointer}`);
        const answer: unknown = await response.json();
        assert.ok(validate?.(answer), `${what}: ${JSON.stringify([validate?.errors, answer])}`);
        return response.status;
      };

      const isPlain = (route: string): boolean => !route.includes("{");
      for (const { route } of operations.filter((each) => isPlain(each.route)))
        assert.equal(await ask(route, ""), 200, route);
      for (const { route, refusals = [] } of operations.filter((each) => !isPlain(each.route))) {
        if (route.includes("{id}"))
          assert.equal(await ask(route, route.includes("{name}") ? "desk" : ""), 404, route);
        else {
          const name = route.endsWith("/keys") ? "ticket" : "desk";
          assert.ok([200, 202].includes(await ask(route, name)), route);
        }
        if (refusals.includes(404)) assert.equal(await ask(route, "nobody"), 404, route);
        if (route.startsWith("POST"))
          assert.equal(await ask(route, "desk", { typo: 1 }), 400, route);
      }
      // It was asked to restart, and has crashed.
      for (let isBack = false; !isBack;) {
        const response = await fetch(`${base}/agents/desk`);
        const desk = (await response.json()) as { status: string; restart_count: number };
        isBack = desk.status === "RUNNING" && desk.restart_count === 2;
      }
      assert.equal(await ask("POST /agents/{name}/suspend", "desk"), 200);
      assert.equal(await ask("POST /agents/{name}/mailbox", "desk"), 202);
      while (messageId === "none") {
        const { messages } = (await (await fetch(`${base}/agents/desk/mailbox`)).json()) as {
          readonly messages: readonly { readonly id: string }[];
        };
        messageId = messages[0]?.id ?? "none";
      }
      assert.equal(await ask("POST /agents/{name}/mailbox/{id}/drop", "desk"), 200);
      // Behind a crash: the restart, the dead letter and the crash are in what is read now.
      for (const { route } of operations.filter((each) => isPlain(each.route)))
        await ask(route, "");
      const { crashes } = (await (await fetch(`${base}/crashes`)).json()) as {
        crashes: readonly { readonly id: string }[];
      };
      assert.equal(await ask("GET /crashes/{id}", crashes[0]?.id ?? "none"), 200);
    },
  );
