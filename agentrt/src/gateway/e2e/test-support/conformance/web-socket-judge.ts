import assert from "node:assert/strict";
import { RawWebSocket } from "../../../websocket/test-support/raw-web-socket.ts";
import { type CaseResult, type Check, runChecks } from "./check.ts";
import type { WebSocketCase } from "./web-socket-case.ts";
import { webSocketCases } from "./web-socket-cases.ts";
import { opcode } from "./web-socket-frames.ts";

const sections: { readonly [number: string]: string } = {
  "1": "1. Framing",
  "2": "2. Pings and pongs",
  "3": "3. Reserved bits",
  "4": "4. Opcodes",
  "5": "5. Fragmentation",
  "6": "6. UTF-8",
  "7": "7. Closing",
  "9": "9. Limits and masses",
  "10": "10. Other",
  "12": "12. Compression",
};
const waitMs = 20_000;
const noCode = 1005;

/**
 * Runs the cases of the Autobahn suite against a route whose agent gives back what it gets.
 *
 * @param port Of the gateway.
 * @param path Of the route.
 */
export async function judgeWebSocket(port: number, path: string): Promise<CaseResult[]> {
  const checks = webSocketCases.map((row): Check => ({
    section: sectionOf(row.id),
    name: `${row.id} ${row.title}`,
    run: () => play(port, path, row),
  }));
  const offers = [
    "permessage-deflate",
    "permessage-deflate; client_max_window_bits; server_no_context_takeover",
  ];
  const compression = offers.map((offer, index): Check => ({
    section: sectionOf("12"),
    name: `12.${index + 1} "${offer}" is offered: it is declined, and messages go on`,
    run: () => offerCompression(port, path, offer),
  }));
  return await runChecks([...checks, ...compression]);
}

function sectionOf(id: string): string {
  return sections[id.split(".")[0] ?? ""] ?? id;
}

async function play(port: number, path: string, row: WebSocketCase): Promise<void> {
  await using client = await RawWebSocket.open(port, path);
  const timer = setTimeout(() => client.end(), waitMs);
  try {
    const isLastGood = row.closeCode === 1000 && row.replies.length > 0;
    const last = row.send.at(-1);
    const whole = isLastGood ? row.send.slice(0, -1) : row.send;
    for (const bytes of whole) client.write(bytes);
    const found: (readonly [number, string])[] = [];
    let isClosing = !isLastGood;
    for (;;) {
      // A close overtakes no reply: the client says it when it has everything.
      if (!isClosing && found.length >= row.replies.length) {
        if (last !== undefined) client.write(last);
        isClosing = true;
      }
      const frame = await client.frame();
      assert.ok(
        frame !== undefined,
        `the connection ended without a close frame after ${found.length} frames`,
      );
      if (frame.opcode === opcode.close) {
        const code = frame.payload.length < 2 ? noCode : frame.payload.readUInt16BE(0);
        assert.equal(code, row.closeCode, `closed with ${code}, want ${row.closeCode}`);
        break;
      }
      const encoding = frame.opcode === opcode.pong ? "latin1" : "utf8";
      found.push([frame.opcode, frame.payload.toString(encoding)]);
    }
    const wanted = row.mayFailEarly === true ? row.replies.slice(0, found.length) : row.replies;
    assert.ok(isSame(found, wanted), `${found.length} frames came, ${wanted.length} others wanted`);
  } finally {
    clearTimeout(timer);
  }
}

function isSame(
  left: readonly (readonly [number, string])[],
  right: readonly (readonly [number, string])[],
): boolean {
  return (
    left.length === right.length &&
    left.every(
      ([code, payload], index) => code === right[index]?.[0] && payload === right[index]?.[1],
    )
  );
}

async function offerCompression(port: number, path: string, offer: string): Promise<void> {
  await using client = await RawWebSocket.connect(port);
  const head = await client.handshake({ path, headers: { "Sec-WebSocket-Extensions": offer } });
  assert.match(head, /^HTTP\/1\.1 101 /);
  assert.doesNotMatch(head, /sec-websocket-extensions/i);
}
