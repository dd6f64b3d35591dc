/** How many HTTP/2 calls a second does a supervised agent answer through the gateway, beside bare node:http2? */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Bench, Contender, Sample } from "./bench.ts";

const requestCount = 100_000;
const connectionCount = 8;
const streamCount = 4;
const server = fileURLToPath(new URL("./rivals/http2-server.ts", import.meta.url));

const frameType = { data: 0, headers: 1, settings: 4, goaway: 7, windowUpdate: 8 } as const;
const endStream = 1;
const endHeaders = 4;
const ack = 1;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function literal(name: string, value: string): Buffer {
  const bytes = [Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length])];
  return Buffer.concat([...bytes, Buffer.from(value)]);
}

// Every client of the load sends this block: method POST and scheme http by their index, the rest as text.
const headerBlock = Buffer.concat([
  Buffer.from([0x83, 0x86]),
  literal(":path", "/agents/echo"),
  literal(":authority", "localhost"),
  literal("content-type", "application/json"),
]);

/** One connection with some streams at a time: a stream that ended right is followed by the next. */
function callInTurn(port: number, sequences: Iterator<number, undefined>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const open = new Map<number, { readonly expected: string; received: string }>();
    let nextStream = 1;
    let doneCount = 0;
    let bytes: Buffer = Buffer.alloc(0);
    const next = (): void => {
      const sequence = sequences.next().value;
      if (sequence === undefined) {
        if (open.size > 0) return;
        socket.destroy();
        resolve(doneCount);
        return;
      }
      const body = `{"sequence":${sequence}}`;
      open.set(nextStream, { expected: body, received: "" });
      socket.write(
        Buffer.concat([
          frame(frameType.headers, endHeaders, nextStream, headerBlock),
          frame(frameType.data, endStream, nextStream, Buffer.from(body)),
        ]),
      );
      nextStream += 2;
    };
    const onFrame = (type: number, flags: number, stream: number, payload: Buffer): void => {
      if (type === frameType.settings && (flags & ack) === 0) {
        socket.write(frame(frameType.settings, ack, 0, Buffer.alloc(0)));
      }
      if (type === frameType.goaway) reject(new Error("the server went away"));
      const call = open.get(stream);
      if (call === undefined) return;
      if (type === frameType.data) call.received += payload.toString("latin1");
      if ((flags & endStream) === 0 || type > frameType.headers) return;
      open.delete(stream);
      if (call.received !== call.expected) {
        reject(new Error(`not the reply to ${call.expected}: ${call.received}`));
        return;
      }
      doneCount += 1;
      next();
    };
    socket.on("error", reject);
    socket.on("connect", () => {
      socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      socket.write(frame(frameType.settings, 0, 0, Buffer.alloc(0)));
      const window = Buffer.from([0x7f, 0, 0, 0]);
      socket.write(frame(frameType.windowUpdate, 0, 0, window));
      for (let lane = 0; lane < streamCount; lane += 1) next();
    });
    socket.on("data", (chunk: Buffer) => {
      bytes = bytes.byteLength === 0 ? chunk : Buffer.concat([bytes, chunk]);
      let at = 0;
      while (bytes.byteLength - at >= 9) {
        const end = at + 9 + bytes.readUIntBE(at, 3);
        if (bytes.byteLength < end) break;
        const stream = bytes.readUInt32BE(at + 5);
        onFrame(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0, stream, bytes.subarray(at + 9, end));
        at = end;
      }
      bytes = bytes.subarray(at);
    });
  });
}

async function load(port: number, count: number): Promise<Sample> {
  const sequences = (function* (): Generator<number, undefined> {
    for (let sequence = 1; sequence <= count; sequence += 1) yield sequence;
    return undefined;
  })();
  const startedMs = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connectionCount }, () => callInTurn(port, sequences)),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const operationCount = counts.reduce((sum, one) => sum + one, 0);
  if (operationCount !== count)
    throw new Error(`${operationCount} of ${count} requests were answered`);
  return { operationCount, seconds };
}

function contender(name: string): Contender {
  return {
    name,
    run: async ({ isQuick }) => {
      const child = spawn(process.execPath, [...process.execArgv, server, name], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const lines = createInterface({ input: child.stdout });
        const [line] = (await once(lines, "line")) as [string];
        const port = Number(line.split(" ")[1]);
        const count = isQuick ? requestCount / 5 : requestCount;
        await load(port, Math.floor(count / 4));
        return await load(port, count);
      } finally {
        child.kill();
      }
    },
  };
}

export const bench: Bench = {
  question:
    "HTTP/2 calls a second: POST /agents/echo on 8 clear-text connections with 4 streams at a time on each",
  operation: "request",
  contenders: [contender("agentrt"), contender("node")],
};
