import type { RawWebSocket as Client } from "../../../websocket/test-support/raw-web-socket.ts";
import { clientFrame, RawWebSocket } from "../../../websocket/test-support/raw-web-socket.ts";
import type { CaseAnswer, CaseRunner } from "./case.ts";

const textOpcode = 1;
const closeOpcode = 8;
const callId = "row";

/** What comes of a message with an id. */
interface CallAnswer {
  readonly id?: unknown;
  readonly payload?: object;
  readonly error?: string;
}

/** Sends rows as one message over a connection of their own: calls with an id, streams without. */
export const webSocketRunner: CaseRunner = {
  surface: "WebSocket",
  async ask(server, row) {
    const { gateway = "open", mode, token, payload = {}, certificate } = row;
    const { capability, agent = capability ?? "echo" } = row;
    const shown = certificate === undefined ? {} : server.certificates[certificate];
    const port = server.ports[gateway].http;
    const client = await RawWebSocket.connect(port, { ca: server.ca, ...shown }).catch(
      () => undefined,
    );
    if (client === undefined) return { status: "no connection" };
    await using _closed = client;
    const head = await client.handshake({
      path: `/ws/${agent}`,
      headers: {
        ...row.headers,
        ...row.headersOf?.("WebSocket"),
        ...(token === undefined ? {} : { "Sec-WebSocket-Protocol": `agentrt.bearer.${token}` }),
      },
    });
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
    if (status === 0) return { status: "no connection" };
    if (status !== 101) {
      const body = await client.body(head);
      return { status, headers: headersOf(head), body: body === "" ? undefined : JSON.parse(body) };
    }
    const message = mode === "stream" ? payload : { id: callId, payload };
    client.write(clientFrame(Buffer.from(row.body ?? JSON.stringify(message))));
    const answer = mode === "stream" ? await readAll(client) : await readOne(client);
    return { ...answer, headers: headersOf(head) };
  },
};

function headersOf(head: string): { readonly [name: string]: string } {
  const lines = head.trim().split("\r\n").slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = line.split(/: (.*)/s, 2);
      return [name.toLowerCase(), value];
    }),
  );
}

async function readOne(client: Client): Promise<CaseAnswer> {
  const frame = await client.frame();
  if (frame === undefined) return { status: "no connection" };
  if (frame.opcode === closeOpcode) {
    const error = frame.payload.subarray(2).toString();
    return { status: frame.payload.readUInt16BE(0), body: error === "" ? undefined : { error } };
  }
  const value = JSON.parse(frame.payload.toString()) as CallAnswer;
  if (value.id !== callId) return { status: 101, body: value };
  return { status: 101, body: value.payload ?? { error: value.error } };
}

/** A failure ends a reply. Nothing else does: what stands in front of the reply to a further message is the whole. */
async function readAll(client: Client): Promise<CaseAnswer> {
  client.write(clientFrame('"end of the reply before"'));
  const received: unknown[] = [];
  for (;;) {
    const frame = await client.frame();
    if (frame?.opcode !== textOpcode) return { status: "no connection" };
    const value = JSON.parse(frame.payload.toString()) as {
      readonly end?: unknown;
      readonly error?: unknown;
    };
    if (value.end === true) return { status: 101, body: received };
    received.push(value);
    if (value.error !== undefined) return { status: 101, body: received };
  }
}
