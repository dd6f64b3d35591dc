import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { apiKey, type Ports, replaced } from "./working-folder.ts";

/** The service of the hour, as clients and operators reach it. */
export class Service {
  readonly folder: string;
  readonly ports: Ports;
  readonly #process: ChildProcess;

  /** Starts `agentrt run` in the folder; what it says goes to `run.log`. */
  constructor(folder: string, ports: Ports, launcher: string) {
    this.folder = folder;
    this.ports = ports;
    const log = openSync(join(folder, "run.log"), "a", 0o600);
    this.#process = spawn(process.execPath, [launcher, "run", "--env-from", ".env"], {
      cwd: folder,
      stdio: ["ignore", log, log],
    });
  }

  /** Settles when all agents have started. */
  async started(): Promise<void> {
    for (;;) {
      if (!this.isAlive()) throw new Error(readFileSync(join(this.folder, "run.log"), "utf8"));
      const isReady = await this.control("/ready").then(
        (answer) => answer["status"] === "ready",
        () => false,
      );
      if (isReady) return;
    }
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Ends it; settles when it is gone. */
  async stop(): Promise<void> {
    if (!this.isAlive()) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await gone;
  }

  /** Asks as a customer does. @returns The status, and how long the whole answer took. */
  async ask(
    path: string,
    body: object,
    timeoutMs = 10_000,
  ): Promise<{ status: number; ms: number }> {
    const before = performance.now();
    const response = await fetch(`http://127.0.0.1:${this.ports.api}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - before };
  }

  /** Asks the control plane. */
  async control(route: string, body?: object): Promise<{ readonly [key: string]: unknown }> {
    const response = await fetch(`http://127.0.0.1:${this.ports.control}${route}`, {
      method: body === undefined ? "GET" : "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
      signal: AbortSignal.timeout(20_000),
    });
    return (await response.json()) as { readonly [key: string]: unknown };
  }

  /** One number of what the control plane says of an agent. */
  async numberOf(agent: string, key: string): Promise<number> {
    const { agents } = await this.control("/overview");
    const all = agents as readonly { readonly [key: string]: unknown }[];
    const value = all.find(({ name }) => name === agent)?.[key];
    if (typeof value !== "number") throw new Error(`${agent} has no number ${key}`);
    return value;
  }

  /** The file of the topology, as it is now. */
  topologyText(): string {
    return readFileSync(join(this.folder, "topology.yaml"), "utf8");
  }

  /** Somebody edits the file of the topology. */
  edit(from: string | RegExp, to: string): void {
    writeFileSync(join(this.folder, "topology.yaml"), replaced(this.topologyText(), from, to));
  }

  /** Somebody applies the file, or another text. */
  async apply(change: (text: string) => string = (text) => text): Promise<void> {
    const topology = change(this.topologyText());
    const answer = await this.control("/apply", { topology, name: "topology.yaml" });
    if (typeof answer["error"] === "string") throw new Error(answer["error"]);
  }
}
