/** `node grpc-server.ts agentrt|grpc-js`: answers `agentrt.Agent/Invoke` with the payload; prints `port <number>`. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  loadPackageDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { freePort } from "testkit";
import { serveAgentrt } from "./agentrt-gateway.ts";

const proto = fileURLToPath(new URL("../../agentrt/src/gateway/grpc/agent.proto", import.meta.url));

interface Payload {
  readonly payload: object;
}

/** The floor: the common server of Node, without agents, limits or deadlines. */
async function serveGrpcJs(): Promise<number> {
  const { agentrt } = loadPackageDefinition(loadSync(proto)) as unknown as {
    agentrt: { Agent: ServiceClientConstructor };
  };
  const server = new Server();
  server.addService(agentrt.Agent.service, {
    Invoke: (call: ServerUnaryCall<Payload, Payload>, answer: sendUnaryData<Payload>) =>
      answer(null, { payload: call.request.payload }),
  });
  return await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

async function serveOwn(): Promise<number> {
  const port = await freePort();
  await serveAgentrt({ grpc: { port, hasReflection: false } });
  return port;
}

const servers: { readonly [name: string]: () => Promise<number> } = {
  agentrt: serveOwn,
  "grpc-js": serveGrpcJs,
};

const serve = servers[process.argv[2] ?? ""];
if (serve === undefined) throw new Error("usage: grpc-server.ts agentrt|grpc-js");
process.stdout.write(`port ${await serve()}\n`);
