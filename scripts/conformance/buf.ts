import assert from "node:assert/strict";
import {
  type Check,
  runChecks,
} from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { cacheFolder, npmTool, runTool } from "./tools.ts";

const version = "1.75.0";
const section = "agentrt.Agent by buf curl";

/** `buf curl`: a client of connect-go, which speaks gRPC over HTTP/2 and learns the service from reflection. */
export const bufJudge: Judge = createJudge();

function createJudge(): Judge {
  let path = "";
  return {
    name: "buf curl",
    subject: "gRPC by connect-go's client, which learns the service from reflection",
    async prepare() {
      const found = await npmTool("buf", `@bufbuild/buf@${version}`);
      if (typeof found !== "string") return found;
      path = found;
      return { version };
    },
    run: async ({ grpcPort }) => await runChecks(checksOf(path, `http://localhost:${grpcPort}`)),
  };
}

function checksOf(path: string, address: string): Check[] {
  const curl = async (args: readonly string[], expected: RegExp): Promise<void> => {
    const { stdout, stderr } = await runTool(path, ["curl", "--protocol", "grpc", ...args], {
      folder: cacheFolder,
    });
    assert.match(stdout + stderr, expected);
  };
  const call = (method: string, data: object): string[] => [
    "-d",
    JSON.stringify(data),
    `${address}/agentrt.Agent/${method}`,
  ];
  const rows: readonly (readonly [name: string, args: readonly string[], expected: RegExp])[] = [
    [
      "list services",
      ["--list-services", address],
      /agentrt\.Agent[\s\S]*grpc\.health\.v1\.Health/,
    ],
    ["list methods", ["--list-methods", address], /agentrt\.Agent\/Invoke/],
    ["Invoke", call("Invoke", { recipient: "echo", payload: { n: 1 } }), /"n":\s*1/],
    ["Cast", call("Cast", { recipient: "echo" }), /^\{\s*\}/],
    [
      "Stream",
      call("Stream", { recipient: "echo", payload: { do: "count" } }),
      /"n":\s*1[\s\S]*"n":\s*2[\s\S]*"n":\s*3/,
    ],
    ["unknown agent", call("Invoke", { recipient: "ghost" }), /"code":\s*"not_found"/],
    [
      "reserved type",
      call("Invoke", { recipient: "echo", type: "_agency.x" }),
      /"code":\s*"invalid_argument"/,
    ],
    [
      "health",
      ["-d", '{"service":"agentrt.Agent"}', `${address}/grpc.health.v1.Health/Check`],
      /"SERVING"/,
    ],
  ];
  return rows.map(([name, args, expected]) => ({ section, name, run: () => curl(args, expected) }));
}
