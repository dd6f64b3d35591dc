import assert from "node:assert/strict";
import {
  type Check,
  runChecks,
} from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { goTool, runTool, versionOf } from "./tools.ts";

const section = "agentrt.Agent, health and reflection";

/** grpcurl: another client, which knows our service only by reflection. */
export const grpcurlJudge: Judge = createJudge();

function createJudge(): Judge {
  let path = "";
  return {
    name: "grpcurl",
    subject: "gRPC by a client in Go that learns the service from reflection",
    async prepare() {
      const found = await goTool("grpcurl", "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3");
      if (typeof found !== "string") return found;
      path = found;
      return { version: versionOf(path, "-version") || "as installed" };
    },
    run: async ({ grpcPort }) => await runChecks(checksOf(path, `localhost:${grpcPort}`)),
  };
}

function checksOf(path: string, address: string): Check[] {
  const call = async (args: readonly string[], expected: RegExp): Promise<void> => {
    const { stdout, stderr } = await runTool(path, ["-plaintext", ...args]);
    assert.match(stdout + stderr, expected);
  };
  const say = (data: object): string[] => ["-d", JSON.stringify(data), address];
  const rows: readonly (readonly [name: string, args: readonly string[], expected: RegExp])[] = [
    ["list", [address, "list"], /agentrt\.Agent[\s\S]*grpc\.health\.v1\.Health/],
    ["describe a service", [address, "describe", "agentrt.Agent"], /rpc Invoke[\s\S]*rpc Stream/],
    ["describe a message", [address, "describe", "agentrt.AgentRequest"], /recipient = 1;/],
    [
      "Invoke",
      [...say({ recipient: "echo", payload: { n: 1 } }), "agentrt.Agent/Invoke"],
      /"n": 1/,
    ],
    ["Cast", [...say({ recipient: "echo" }), "agentrt.Agent/Cast"], /^\{\s*\}/],
    [
      "Stream",
      [...say({ recipient: "echo", payload: { do: "count" } }), "agentrt.Agent/Stream"],
      /"n": 1[\s\S]*"n": 2[\s\S]*"n": 3/,
    ],
    [
      "unknown agent",
      [...say({ recipient: "ghost" }), "agentrt.Agent/Invoke"],
      /Code: NotFound[\s\S]*agent 'ghost' not found/,
    ],
    [
      "reserved type",
      [...say({ recipient: "echo", type: "_agency.x" }), "agentrt.Agent/Invoke"],
      /Code: InvalidArgument/,
    ],
    [
      "deadline",
      [
        "-max-time",
        "0.05",
        ...say({ recipient: "echo", payload: { do: "sleep" } }),
        "agentrt.Agent/Invoke",
      ],
      /DeadlineExceeded|deadline exceeded/,
    ],
    ["health", [...say({ service: "agentrt.Agent" }), "grpc.health.v1.Health/Check"], /SERVING/],
    [
      "health of a service that is not there",
      [...say({ service: "nothing" }), "grpc.health.v1.Health/Check"],
      /NotFound/,
    ],
  ];
  return rows.map(([name, args, expected]) => ({ section, name, run: () => call(args, expected) }));
}
