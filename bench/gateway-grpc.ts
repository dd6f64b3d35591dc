/** How many gRPC calls a second does a supervised agent answer through the gateway, compared with a server of grpc-js? */
import type { Bench, Contender } from "./bench.ts";
import { http2Lane } from "./rivals/http2-lane.ts";
import { served } from "./rivals/served.ts";

const connectionCount = 8;
const streamCount = 4;

/** A field with a length: its number, and the bytes; all below 128. */
function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.byteLength]), bytes]);
}

/** The struct `{"sequence": n}`: one entry of a map, whose value is a double. */
function struct(sequence: number): Buffer {
  const value = Buffer.alloc(9);
  value[0] = (2 << 3) | 1;
  value.writeDoubleLE(sequence, 1);
  return field(1, Buffer.concat([field(1, Buffer.from("sequence")), field(2, value)]));
}

/** A message behind the five bytes that gRPC puts before each. */
function message(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.byteLength, 1);
  return Buffer.concat([head, bytes]);
}

const lane = http2Lane(streamCount, {
  path: "/agentrt.Agent/Invoke",
  headers: [
    ["content-type", "application/grpc"],
    ["te", "trailers"],
  ],
  body: (sequence) =>
    message(Buffer.concat([field(1, Buffer.from("echo")), field(3, struct(sequence))])),
  isReply: (body, sequence) => body.subarray(0, 64).equals(message(field(1, struct(sequence)))),
});

function contender(name: string): Contender {
  const lanes = Array.from({ length: connectionCount }, () => lane);
  return served({
    name,
    server: new URL("./rivals/grpc-server.ts", import.meta.url),
    args: [name],
    callCount: 50_000,
    lanes,
  });
}

export const bench: Bench = {
  question:
    "gRPC calls a second: agentrt.Agent/Invoke on 8 clear-text connections with 4 streams at a time on each",
  operation: "call",
  contenders: [contender("agentrt"), contender("grpc-js")],
};
