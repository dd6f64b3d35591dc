import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { freePort } from "testkit";
import {
  type RunningTopology,
  startTopology,
} from "../../gateway/e2e/test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";
export class Desk extends Agent {
  override async handle({ payload, type }: Message) {
    if (type === "crash") throw new RangeError(String(payload.because));
    if (type === "ask") {
      await this.suspendForApproval({ kind: "refund", payload, schema: { type: "object" }, expiresMs: 3_600_000 });
      return {};
    }
    this.state.served = payload;
    this.state.api_key = "sk-a-secret";
    this.log.info("served", { payload });
    return {};
  }
}
`;

/** A tree that runs, with its console behind the key `first`. */
export interface RunningConsole extends AsyncDisposable {
  readonly port: number;
  /** Of the page. */
  readonly url: string;
  readonly topology: string;
  readonly running: RunningTopology;
  /** Asks a route with the key. */
  get<Body>(path: string): Promise<Body>;
  /** Asks a route that changes something with the key. */
  post(path: string, body: object): Promise<void>;
  /** Opens the page, and signs in. */
  signIn(page: Page): Promise<void>;
}

/** Starts one. */
export async function startConsole(
  options: {
    /** Default: everybody may do all. */
    readonly scopes?: string;
    readonly port?: number;
    /** Further children of the root, a line each. */
    readonly children?: string;
    readonly agents?: string;
  } = {},
): Promise<RunningConsole> {
  const { port = await freePort(), scopes, children = "" } = options;
  const table = scopes === undefined ? "" : `, scopes: ${scopes}`;
  const topology = `plugins: { exporters: [{ type: sqlite }] }
supervision:
  name: root
  max_restarts: 1000
  backoff_base: 0.01
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: tickets, type: pool, class: agents.Desk, size: 2 }
    - supervisor: { name: billing, children: [{ agent: { name: invoices, type: agents.Desk } }] }
${children}
    - name: topo
      type: topology_server
      config:
        port: ${port}
        prefix: /ops
        dead_letter_payloads: 100
        auth: { middleware: [agentrt.gateway.auth.require_api_key]${table} }
`;
  const running = await startTopology({
    files: { "agents.ts": `${agents}${options.agents ?? ""}` },
    environment: { AGENTRT_GATEWAY_API_KEY: "first" },
    topology,
  });
  const base = `http://127.0.0.1:${port}/ops`;
  const url = `${base}/console`;
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { "x-api-key": "first", "content-type": "application/json" };
    const response = await fetch(`${base}${path}`, { headers, ...init });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    port,
    url,
    topology,
    running,
    get: async <Body>(path: string) => (await ask(path)) as Body,
    post: async (path, body) =>
      void (await ask(path, { method: "POST", body: JSON.stringify(body) })),
    signIn: async (page) => {
      if (!page.url().startsWith(url)) await page.goto(url);
      await page.getByLabel("Key", { exact: true }).fill("first");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Sign out" }).waitFor();
    },
    [Symbol.asyncDispose]: async () => await running[Symbol.asyncDispose](),
  };
}
