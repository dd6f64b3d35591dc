import { request as requestHttp } from "node:http";
import { constants } from "node:http2";
import { openHttp2 } from "testkit";

/** Where the gateway listens. */
export interface StreamPorts {
  readonly http: number;
  readonly grpc: number;
}

/** One streamed answer that is asked for. */
export interface StreamQuestion {
  readonly ports: StreamPorts;
  /** Name of the agent. */
  readonly way: string;
  /** What is asked, and the key of a keyed agent. */
  readonly id: string;
  /** Called with each chunk. @returns True where nothing comes behind it: of WebSocket nothing else says so. */
  readonly onChunk: () => unknown;
}

/** An answer that is being read. */
export interface OpenedStream {
  /** Settles at its end; rejects when it failed. */
  readonly ended: Promise<void>;
  /** Goes away in the middle, as a user who closes the page. */
  readonly leave: () => void;
}

/** Asks over one protocol, on a separate connection. */
export interface StreamClient {
  readonly name: string;
  readonly open: (question: StreamQuestion) => OpenedStream;
}

const jsonHeaders = { "content-type": "application/json" };
const grpcHeaders = { "content-type": "application/grpc", te: "trailers" };
const messageHeadSizeBytes = 5;

/** Calls `onEvent` for each server-sent event in the pieces of a body. */
function eventCounter(onEvent: () => unknown): (piece: Buffer) => void {
  let rest = "";
  return (piece) => {
    const events = (rest + piece.toString("latin1")).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) if (/^data: \{"text"/m.test(event)) onEvent();
  };
}

/** Calls `onMessage` for each message of gRPC in the pieces of a body. */
function messageCounter(onMessage: () => unknown): (piece: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.byteLength >= messageHeadSizeBytes) {
      const end = messageHeadSizeBytes + rest.readUInt32BE(1);
      if (rest.byteLength < end) return;
      rest = rest.subarray(end);
      onMessage();
    }
  };
}

function openSse({ ports, way, id, onChunk }: StreamQuestion): OpenedStream {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const request = requestHttp(
    {
      host: "127.0.0.1",
      port: ports.http,
      method: "POST",
      path: `/${way}`,
      headers: jsonHeaders,
      agent: false,
    },
    (response) => {
      response.on("data", eventCounter(onChunk));
      response.on("end", resolve);
      response.on("error", reject);
    },
  );
  request.on("error", reject);
  request.end(JSON.stringify({ id }));
  return { ended, leave: () => void request.destroy() };
}

interface Http2Question {
  readonly port: number;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
  readonly onData: (piece: Buffer) => void;
}

function openOverHttp2({ port, path, headers, body, onData }: Http2Question): OpenedStream {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const session = openHttp2({ port });
  const stream = session.request({ ":method": "POST", ":path": path, ...headers });
  stream.on("data", onData);
  stream.on("error", reject);
  stream.on("close", () => {
    session.close();
    if (stream.rstCode === constants.NGHTTP2_NO_ERROR) resolve();
    else reject(new Error(`${path} was reset with ${stream.rstCode}`));
  });
  stream.end(body);
  return { ended, leave: () => stream.close(constants.NGHTTP2_CANCEL) };
}

function openWebSocket({ ports, way, id, onChunk }: StreamQuestion): OpenedStream {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(`ws://127.0.0.1:${ports.http}/ws/${way}`);
  socket.addEventListener("open", () => socket.send(JSON.stringify({ id })));
  socket.addEventListener("message", ({ data }) => {
    if (!String(data).startsWith('{"text"')) reject(new Error(String(data)));
    if (onChunk() === true) socket.close();
  });
  socket.addEventListener("close", () => resolve());
  return { ended, leave: () => socket.close() };
}

/** A field with a length: its number, and the bytes; all below 128. */
function field(number: number, bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes as string);
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.byteLength]), content]);
}

/** An `AgentRequest` with the payload `{"id": id}`, behind the five bytes that gRPC puts before each message. */
function grpcRequest(recipient: string, id: string): Buffer {
  const struct = field(1, Buffer.concat([field(1, "id"), field(2, field(3, id))]));
  const message = Buffer.concat([field(1, recipient), field(3, struct)]);
  const head = Buffer.alloc(messageHeadSizeBytes);
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
}

/** A client of each protocol. */
export const streamClients: readonly [StreamClient, ...StreamClient[]] = [
  { name: "SSE", open: openSse },
  {
    name: "HTTP/2",
    open: ({ ports, way, id, onChunk }) =>
      openOverHttp2({
        port: ports.http,
        path: `/${way}`,
        headers: jsonHeaders,
        body: Buffer.from(JSON.stringify({ id })),
        onData: eventCounter(onChunk),
      }),
  },
  { name: "WebSocket", open: openWebSocket },
  {
    name: "gRPC",
    open: ({ ports, way, id, onChunk }) =>
      openOverHttp2({
        port: ports.grpc,
        path: "/agentrt.Agent/Stream",
        headers: grpcHeaders,
        body: grpcRequest(way, id),
        onData: messageCounter(onChunk),
      }),
  },
];
