import { connect } from "node:net";
import type { Lane } from "./served.ts";

const lastTextFrame = 0x81;
const maskBit = 0x80;
const maskSizeBytes = 4;

/** A frame with a mask of zeros: its text stays as it is. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(2 + maskSizeBytes);
  head[0] = lastTextFrame;
  head[1] = maskBit | bytes.byteLength;
  return Buffer.concat([head, bytes]);
}

/** One WebSocket connection that sends `{"sequence":n}`, the next when the last was answered right. */
export const webSocketLane: Lane = (port, sequences) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let doneCount = 0;
    let text = "";
    let isOpen = false;
    let bytes: Buffer = Buffer.alloc(0);
    const next = (): void => {
      const sequence = sequences.next().value;
      if (sequence === undefined) {
        socket.destroy();
        resolve(doneCount);
        return;
      }
      text = `{"sequence":${sequence}}`;
      socket.write(textFrame(text));
    };
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("connect", () => {
      socket.write(
        "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
    });
    socket.on("data", (chunk: Buffer) => {
      bytes = bytes.byteLength === 0 ? chunk : Buffer.concat([bytes, chunk]);
      if (!isOpen) {
        if (!bytes.toString("latin1").endsWith("\r\n\r\n")) return;
        if (!bytes.toString("latin1").startsWith("HTTP/1.1 101 ")) {
          reject(new Error(`no WebSocket: ${bytes.toString("latin1")}`));
          return;
        }
        isOpen = true;
      } else {
        if (bytes.byteLength < 2 + (bytes[1] ?? 0)) return;
        if (bytes[0] !== lastTextFrame || bytes.toString("latin1", 2) !== text) {
          reject(new Error(`not the reply to ${text}: ${bytes.toString("latin1")}`));
          return;
        }
        doneCount += 1;
      }
      bytes = Buffer.alloc(0);
      next();
    });
  });
