import type { ClientHttp2Stream } from "node:http2";
import { request as requestHttp } from "node:http";
import * as grpc from "@grpc/grpc-js";
import { openHttp2 } from "testkit";
import type { JsonObject } from "../../../core/index.ts";
import { writeStruct } from "../../grpc/struct.ts";
import { WireWriter } from "../../grpc/wire-writer.ts";
import { clientFrame, RawWebSocket } from "../../websocket/test-support/raw-web-socket.ts";

/** Where the gateway of a test listens. */
export interface LeavablePorts {
  readonly http: number;
  readonly grpc: number;
}

/** A request that somebody waits for. */
export interface WaitingRequest {
  /** Goes away without a word, as a client does that is closed. */
  leave(): void;
}

/** A kind of client that can leave in the middle. */
export interface LeavableClient {
  readonly name: string;
  /** Sends a request to an agent, and does not wait for its answer. */
  begin(ports: LeavablePorts, agent: string, payload: JsonObject): Promise<WaitingRequest>;
}

const ignore = (): void => undefined;
const same = (bytes: Buffer): Buffer => bytes;

/** Makes the bytes of an `AgentRequest`. */
export function agentRequest(recipient: string, payload: JsonObject): Buffer {
  return new WireWriter()
    .text(1, recipient)
    .nested(3, (struct) => writeStruct(struct, payload))
    .finish();
}

function overHttp1(mode: string): LeavableClient {
  return {
    name: `HTTP/1.1 ${mode}`,
    begin: async ({ http }, agent, payload) => {
      const request = requestHttp({
        port: http,
        host: "127.0.0.1",
        path: `/${mode}/${agent}`,
        method: "POST",
        headers: { "content-type": "application/json" },
        agent: false,
      });
      request.on("error", ignore);
      request.on("response", (response) => response.on("error", ignore).resume());
      request.end(JSON.stringify(payload));
      return { leave: () => void request.destroy() };
    },
  };
}

function overHttp2(mode: string): LeavableClient {
  return {
    name: `HTTP/2 ${mode}`,
    begin: async ({ http }, agent, payload) => {
      const session = openHttp2({ port: http });
      const stream: ClientHttp2Stream = session.request({
        ":method": "POST",
        ":path": `/${mode}/${agent}`,
        "content-type": "application/json",
      });
      stream.on("error", ignore);
      stream.on("close", () => session.close());
      stream.resume();
      stream.end(JSON.stringify(payload));
      return { leave: () => stream.close(8) };
    },
  };
}

const overWebSocket: LeavableClient = {
  name: "WebSocket",
  begin: async ({ http }, agent, payload) => {
    const socket = await RawWebSocket.open(http, `/ws/${agent}`);
    socket.write(clientFrame(JSON.stringify(payload)));
    return { leave: () => socket.end() };
  },
};

function overGrpc(mode: "Invoke" | "Stream"): LeavableClient {
  return {
    name: `gRPC ${mode}`,
    begin: async (ports, agent, payload) => {
      const client = new grpc.Client(`127.0.0.1:${ports.grpc}`, grpc.credentials.createInsecure());
      const body = agentRequest(agent, payload);
      const path = `/agentrt.Agent/${mode}`;
      if (mode === "Stream") {
        const stream = client.makeServerStreamRequest(path, same, same, body);
        stream.on("error", () => client.close());
        stream.resume();
        return { leave: () => stream.cancel() };
      }
      const call = client.makeUnaryRequest(path, same, same, body, () => client.close());
      return { leave: () => call.cancel() };
    },
  };
}

/** All ways in which a client waits for an agent. */
export const leavableClients: readonly LeavableClient[] = [
  overHttp1("call"),
  overHttp1("stream"),
  overHttp2("call"),
  overHttp2("stream"),
  overWebSocket,
  overGrpc("Invoke"),
  overGrpc("Stream"),
];
