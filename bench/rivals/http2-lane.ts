import { connect, type Socket } from "node:net";
import { frame, frameType, literalHeader } from "testkit";
import type { Lane } from "./served.ts";

/** What is called over HTTP/2, and how its reply is known. */
export interface Http2Call {
  readonly path: string;
  /** Headers except method, scheme, path and authority. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body of a call. */
  body(sequence: number): Uint8Array;
  /** Whether these bytes are the reply's body. */
  isReply(body: Buffer, sequence: number): boolean;
}

const endStream = 1;
const endHeaders = 4;
const ack = 1;
const frameHeadSizeBytes = 9;

/** One clear-text connection with some streams at a time: a stream that ended right is followed by the next. */
export function http2Lane(streamCount: number, call: Http2Call): Lane {
  // Method POST and scheme http by their index, the rest as text.
  const block = Buffer.concat([
    Buffer.from([0x83, 0x86]),
    literalHeader(":path", call.path),
    literalHeader(":authority", "localhost"),
    ...call.headers.map(([name, value]) => literalHeader(name, value)),
  ]);
  return (port, sequences) =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      const open = new Map<number, { readonly sequence: number; received: Buffer }>();
      let nextStream = 1;
      let doneCount = 0;
      const next = (): void => {
        const sequence = sequences.next().value;
        if (sequence === undefined) {
          if (open.size > 0) return;
          socket.destroy();
          resolve(doneCount);
          return;
        }
        const stream = nextStream;
        nextStream += 2;
        open.set(stream, { sequence, received: Buffer.alloc(0) });
        const payload = call.body(sequence);
        socket.write(
          Buffer.concat([
            frame(frameType.headers, { flags: endHeaders, stream, payload: block }),
            frame(frameType.data, { flags: endStream, stream, payload }),
          ]),
        );
      };
      const onFrame: FrameListener = ({ type, flags, stream, payload }) => {
        if (type === frameType.settings && (flags & ack) === 0)
          socket.write(frame(frameType.settings, { flags: ack }));
        if (type === frameType.goaway) reject(new Error("the server went away"));
        const asked = open.get(stream);
        if (asked === undefined) return;
        if (type === frameType.data) asked.received = Buffer.concat([asked.received, payload]);
        if ((flags & endStream) === 0 || type > frameType.headers) return;
        open.delete(stream);
        if (!call.isReply(asked.received, asked.sequence)) {
          reject(new Error(`not the reply to ${asked.sequence}: ${asked.received.toString()}`));
          return;
        }
        doneCount += 1;
        next();
      };
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("the server closed a connection")));
      socket.on("connect", () => {
        socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        socket.write(frame(frameType.settings, {}));
        const payload = Buffer.from([0x7f, 0, 0, 0]);
        socket.write(frame(frameType.windowUpdate, { payload }));
        for (let lane = 0; lane < streamCount; lane += 1) next();
      });
      readFrames(socket, onFrame);
    });
}

type FrameListener = (frame: {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}) => void;

function readFrames(socket: Socket, onFrame: FrameListener): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.byteLength === 0 ? chunk : Buffer.concat([bytes, chunk]);
    let at = 0;
    while (bytes.byteLength - at >= frameHeadSizeBytes) {
      const start = at + frameHeadSizeBytes;
      const end = start + bytes.readUIntBE(at, 3);
      if (bytes.byteLength < end) break;
      onFrame({
        type: bytes[at + 3] ?? 0,
        flags: bytes[at + 4] ?? 0,
        stream: bytes.readUInt32BE(at + 5),
        payload: bytes.subarray(start, end),
      });
      at = end;
    }
    bytes = bytes.subarray(at);
  });
}
