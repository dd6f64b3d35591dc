import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import assert from "node:assert/strict";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  type ProgramExit,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { badgeGuards, deskAgents } from "../../control/test-support/badge-project.ts";

const binary = agentrtLauncher();

/** A record. */
export interface AuditLine {
  readonly event: string;
  readonly ts: string;
  readonly agent: string | null;
  readonly signer_id: null;
  readonly details: { readonly [name: string]: unknown };
  readonly seq: number;
  readonly prev: string;
}

/** A project whose audit log is looked at. */
export class AuditProject implements Disposable {
  readonly folder: TemporaryFolder;
  readonly port: number;
  readonly environment: { [name: string]: string | undefined } = {};

  private constructor(port: number, audit: string) {
    this.port = port;
    this.folder = createTemporaryFolder({
      "agents.ts": deskAgents,
      "guards.ts": badgeGuards,
      "topology.yaml": `${audit}
plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk }
    - name: topo
      type: topology_server
      config:
        port: ${port}
        auth:
          middleware: [guards.badge]
          scopes: { ada: [read, operate, approve], bob: [read], "*": [] }
`,
    });
  }

  /** @param audit The section `audit` of its topology. Default none. */
  static async create(audit = ""): Promise<AuditProject> {
    return new AuditProject(await freePort(), audit);
  }

  /** Runs it, until it has started. */
  async start(): Promise<Program> {
    const program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: this.folder.path,
      environment: this.environment,
      timeoutMs: 120_000,
    });
    await program.waitFor(/started; Ctrl/);
    return program;
  }

  /** Runs a command in its folder. */
  async agentrt(...words: string[]): Promise<ProgramExit> {
    const { environment } = this;
    const options = { workingDirectory: this.folder.path, environment };
    return await runProgram(process.execPath, [binary, ...words], options);
  }

  /** Asks the control plane. @returns The status. */
  async ask(target: string, who: string | undefined, body?: object): Promise<number> {
    const [method = "", path = ""] = target.split(" ");
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "x-principal": "root",
        ...(who === undefined ? {} : { "x-badge": who }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.text();
    return response.status;
  }

  /** Asks the control plane as ada. @returns The body. */
  async text(path: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      headers: { "x-badge": "ada" },
    });
    return await response.text();
  }

  /** Of its log, or another file of its folder. */
  path(name = "agentrt_audit.jsonl"): string {
    return isAbsolute(name) ? name : join(this.folder.path, name);
  }

  /** The records so far. */
  lines(name?: string): AuditLine[] {
    return readFileSync(this.path(name), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditLine);
  }

  /** What `agentrt audit verify` finds. */
  async verify(
    ...words: string[]
  ): Promise<{ code: number | null; whole: boolean; kinds: string[] }> {
    const named = words.some((word) => word.endsWith(".jsonl") || word.endsWith(".1"));
    const files = named ? [] : ["agentrt_audit.jsonl"];
    const exit = await this.agentrt(
      "audit",
      "verify",
      ...files,
      ...words,
      "--db",
      "state.db",
      "--json",
    );
    assert.ok(exit.stdout.startsWith("{"), exit.stderr);
    const { whole, findings } = JSON.parse(exit.stdout) as {
      whole: boolean;
      findings: { kind: string }[];
    };
    return { code: exit.code, whole, kinds: findings.map(({ kind }) => kind) };
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

/** Asks a program to stop, and waits until it has. */
export async function stop(program: Program): Promise<ProgramExit> {
  program.kill("SIGTERM");
  return await program.exited();
}
