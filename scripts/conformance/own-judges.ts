import process from "node:process";
import {
  grpcClientVersion,
  judgeGrpc,
} from "../../agentrt/src/gateway/e2e/test-support/conformance/grpc-judge.ts";
import { judgeWebSocket } from "../../agentrt/src/gateway/e2e/test-support/conformance/web-socket-judge.ts";
import type { Judge } from "./judge.ts";

/** Cases of our own under the numbers and names of suites that cannot judge our protocol as it is. */
export const ownJudges: readonly Judge[] = [
  {
    name: "Autobahn's cases for WebSocket",
    subject:
      "RFC 6455, by a client of our own that sends any bytes: the suite itself wants its text back, and our routes answer in JSON",
    prepare: () => Promise.resolve({ version: `Node ${process.versions.node}` }),
    run: ({ clearPort }) => judgeWebSocket(clearPort, "/ws"),
  },
  {
    name: "gRPC's interop cases",
    subject: "gRPC over HTTP/2, by the client of @grpc/grpc-js",
    prepare: () => Promise.resolve({ version: grpcClientVersion() }),
    run: ({ grpcPort }) => judgeGrpc(`localhost:${grpcPort}`),
  },
];
