/** Casts to an agent whose mailbox is full, through `agentrt run`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { freePort, testClients } from "testkit";
import { agentRequest } from "./test-support/leaving-clients.ts";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent } from "agentrt";

export class Busy extends Agent {
  constructor(name: string) {
    super(name, { mailboxLengthMax: 1 });
  }
  override async handle() {
    console.log("begins");
    await new Promise(() => undefined);
    return {};
  }
}
`;

test("a cast is answered at once while there is room, and with 503 soon when there is none", async () => {
  const [port, grpcPort] = [await freePort(), await freePort()];
  await using running = await startTopology({
    files: { "agents.ts": agents },
    topology: `supervision:
  name: root
  children:
    - agent: { name: busy, type: agents.Busy }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        request_timeout: 3600
        cast_timeout: 0.1
        grpc_enabled: true
        grpc_port: ${grpcPort}
        routes: [{ method: POST, path: /busy, agent: busy, mode: cast }]
`,
  });
  const [client] = testClients;
  const cast = () => client.ask({ port }, { request: "POST /busy" });
  assert.equal((await cast()).status, 202);
  await running.program.waitFor(/begins/);
  assert.equal((await cast()).status, 202);
  const refused = await cast();
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "1"]);
  const caller = new grpc.Client(`127.0.0.1:${grpcPort}`, grpc.credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  const path = "/agentrt.Agent/Cast";
  const code = await new Promise((resolve) =>
    caller.makeUnaryRequest(path, same, same, agentRequest("busy", {}), (error) =>
      resolve(error?.code),
    ),
  );
  assert.equal(code, grpc.status.UNAVAILABLE);
  caller.close();
});
