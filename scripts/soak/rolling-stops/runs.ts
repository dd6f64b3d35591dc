import assert from "node:assert/strict";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  type Certificates,
  createTemporaryFolder,
  freePort,
  type Program,
  startProgram,
} from "testkit";
import { warnings } from "../warnings.ts";

const binary = fileURLToPath(new URL("../../../agentrt/bin/agentrt.cjs", import.meta.url));

const agents = `
import { Agent } from "agentrt";

export class Slow extends Agent {
  override async handle() {
    await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
    return { done: true };
  }
}

export class Events extends Agent {
  override async *handle() {
    for (let n = 1; n <= 5; n += 1) {
      yield { n };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
`;

/** Where one run listens. */
export interface RunPorts {
  readonly http: number;
  readonly grpc: number;
  /** UDP. */
  readonly http3: number;
  /** `/ready` is here. */
  readonly control: number;
}

/** What a run is given. */
export interface RunSettings {
  readonly lameDuckS: number;
  /** Paths of PEM files, for HTTP/3. */
  readonly certificates: Pick<Certificates, "serverCertificate" | "serverKey">;
}

/** One run, which can be stopped and started again on the same ports. */
export class RollingRun implements AsyncDisposable {
  readonly ports: RunPorts;
  readonly #folder: ReturnType<typeof createTemporaryFolder>;
  #program: Program | undefined;

  private constructor(ports: RunPorts, settings: RunSettings) {
    this.ports = ports;
    this.#folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(ports, settings),
    });
  }

  /** Makes one, not started. */
  static async create(settings: RunSettings): Promise<RollingRun> {
    const [http, grpc, control] = [await freePort(), await freePort(), await freePort()];
    return new RollingRun({ http, grpc, control, http3: await freePort() }, settings);
  }

  /** Starts it. */
  async start(): Promise<void> {
    this.#program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: this.#folder.path,
      timeoutMs: 3_600_000,
    });
    await this.#program.waitFor(/started; Ctrl\+C stops/);
  }

  /**
   * Stops it.
   *
   * @returns When the signal was sent, seconds since 1970.
   * @throws When it does not end with 0, or its log says that something was late.
   */
  async stop(): Promise<number> {
    const program = this.#program;
    assert.ok(program !== undefined);
    const signalledS = Date.now() / 1000;
    program.kill("SIGTERM");
    const exit = await program.exited();
    assert.deepEqual([exit.code, exit.signal], [0, null], exit.stderr);
    assert.doesNotMatch(exit.stderr, warnings, exit.stderr);
    return signalledS;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

function topology(
  { http, grpc, http3, control }: RunPorts,
  { lameDuckS, certificates }: RunSettings,
): string {
  return `shutdown: { lame_duck: ${lameDuckS}, grace: 20 }
supervision:
  name: root
  children:
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${http}
        grpc_enabled: true
        grpc_port: ${grpc}
        routes:
          - { method: GET, path: /slow, agent: slow }
          - { method: GET, path: /events, agent: events, mode: stream }
        ws_routes: [ { path: /chat, agent: slow } ]
    - name: secure
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${http3}
        tls_cert: "${certificates.serverCertificate}"
        tls_key: "${certificates.serverKey}"
        enable_http3: true
        port_quic: ${http3}
        routes: [ { method: GET, path: /slow, agent: slow } ]
    - { name: topo, type: topology_server, config: { port: ${control} } }
    - agent: { name: slow, type: agents.Slow, concurrency: 100 }
    - agent: { name: events, type: agents.Events, concurrency: 100 }
`;
}
