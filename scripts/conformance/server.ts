import { join } from "node:path";
import { createCertificates, createTemporaryFolder, freePort } from "testkit";
import { judgeAgents } from "../../agentrt/src/gateway/e2e/test-support/conformance/grpc-judge.ts";
import { startTopology } from "../../agentrt/src/gateway/e2e/test-support/running-topology.ts";
import type { JudgedServer } from "./judge.ts";

/** Starts the gateways that judges talk to. */
export async function startJudgedServer(): Promise<JudgedServer & AsyncDisposable> {
  const [clearPort, tlsPort, grpcPort] = [await freePort(), await freePort(), await freePort()];
  const quicPort = await freePort();
  const certificates = createCertificates();
  const folder = createTemporaryFolder();
  const running = await startTopology({
    topology: topology({ clearPort, tlsPort, quicPort, grpcPort, certificates }),
    files: { "agents.ts": judgeAgents },
    timeoutMs: 3_600_000,
  });
  return {
    clearPort,
    tlsPort,
    quicPort,
    grpcPort,
    caPath: certificates.ca,
    folder: join(folder.path),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
      certificates[Symbol.dispose]();
    },
  };
}

function topology(of: {
  readonly clearPort: number;
  readonly tlsPort: number;
  readonly quicPort: number;
  readonly grpcPort: number;
  readonly certificates: { readonly serverCertificate: string; readonly serverKey: string };
}): string {
  const { serverCertificate, serverKey } = of.certificates;
  return `supervision:
  name: root
  max_restarts: 1000
  backoff_base: 0
  children:
    - agent: { name: echo, type: agents.Echo }
    - name: clear
      type: http_gateway
      config:
        host: localhost
        port: ${of.clearPort}
        grpc_enabled: true
        grpc_port: ${of.grpcPort}
        max_body_size: 20000000
        ws_routes: [{ path: /ws, agent: echo }]
        publish: { agents: [echo, { agent: echo, name: counter, mode: stream }], mcp: false }
        routes:
          - { method: GET, path: /, agent: echo }
          - { method: POST, path: /, agent: echo }
          - { method: POST, path: /stream, agent: echo, mode: stream }
          - { method: GET, path: /large, agent: echo }
          - { method: POST, path: /later, agent: echo, mode: cast }
          - method: PUT
            path: /orders/{id}
            agent: echo
            request: { type: object, properties: { count: { type: integer, minimum: 1 } }, required: [count] }
            response: { type: object }
    - name: tls
      type: http_gateway
      config:
        host: localhost
        port: ${of.tlsPort}
        tls_cert: "${serverCertificate}"
        tls_key: "${serverKey}"
        enable_http3: true
        port_quic: ${of.quicPort}
        max_body_size: 20000000
        routes:
          - { method: GET, path: /, agent: echo }
          - { method: POST, path: /, agent: echo }
          - { method: POST, path: /stream, agent: echo, mode: stream }
          - { method: GET, path: /large, agent: echo }
`;
}
