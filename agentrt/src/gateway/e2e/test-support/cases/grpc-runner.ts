import { connect, type IncomingHttpHeaders } from "node:http2";
import { readStruct, writeStruct } from "../../../grpc/struct.ts";
import { readFields, readNested } from "../../../grpc/wire-reader.ts";
import { WireWriter } from "../../../grpc/wire-writer.ts";
import type { CaseAnswer, CaseRequest, CaseRunner } from "./case.ts";

const methods = { call: "Invoke", cast: "Cast", stream: "Stream" } as const;
const unavailable = 14;

/** A row may send what no good client would: a header twice that may stand once. Node's types do not know it yet. */
const sendsAnything = { strictSingleValueFields: false } as object;

/** Sends rows as one call over a connection of their own. */
export const grpcRunner: CaseRunner = {
  surface: "gRPC",
  ask(server, row) {
    const { gateway = "open", mode = "call", certificate } = row;
    const shown = certificate === undefined ? {} : server.certificates[certificate];
    const session = connect(`https://localhost:${server.ports[gateway].grpc}`, {
      ca: server.ca,
      ...sendsAnything,
      ...shown,
    });
    return new Promise<CaseAnswer>((resolve) => {
      session.on("error", () => resolve({ status: "no connection" }));
      session.on("close", () => resolve({ status: "no connection" }));
      const stream = session.request({
        ":method": "POST",
        ":path": `/agentrt.Agent/${methods[mode]}`,
        "content-type": "application/grpc",
        te: "trailers",
        ...metadataOf(row),
      });
      const chunks: Buffer[] = [];
      let headers: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders = {};
      stream.on("response", (got) => (headers = got));
      stream.on("trailers", (got) => (trailers = got));
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", () => resolve({ status: "no connection" }));
      stream.on("end", () => {
        const ending = { ...headers, ...trailers };
        if (headers[":status"] === undefined) return resolve({ status: "no connection" });
        const replies = readReplies(Buffer.concat(chunks));
        const status = Number(ending["grpc-status"] ?? unavailable);
        const error = decodeURIComponent(String(ending["grpc-message"] ?? ""));
        const body = mode === "stream" ? replies : replies[0];
        const failed = mode === "stream" ? [...replies, { error }] : { error };
        resolve({ status, body: status === 0 ? body : failed, headers: ending as {} });
      });
      stream.end(enclose(requestOf(row)));
    }).finally(() => session.destroy());
  },
};

function metadataOf(row: CaseRequest): { [name: string]: string | string[] } {
  const metadata: { [name: string]: string | string[] } = { ...row.headersOf?.("gRPC") };
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    if (name === "x-agentrt-type") continue; // A field of the message.
    metadata[name.toLowerCase()] = typeof value === "string" ? value : [...value];
  }
  if (row.token !== undefined) metadata["authorization"] = `Bearer ${row.token}`;
  return metadata;
}

function requestOf({ payload = {}, headers = {}, body, ...row }: CaseRequest): Buffer {
  const { capability = "", agent = capability === "" ? "echo" : "" } = row;
  if (body !== undefined) return Buffer.from(body);
  const type = headers["x-agentrt-type"];
  const writer = new WireWriter()
    .text(1, agent)
    .text(2, typeof type === "string" ? type : "")
    .nested(3, (struct) => writeStruct(struct, payload));
  return (capability === "" ? writer : writer.text(6, capability)).finish();
}

function enclose(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
}

function readReplies(bytes: Buffer): unknown[] {
  const replies: unknown[] = [];
  for (let offset = 0; offset + 5 <= bytes.byteLength;) {
    const end = offset + 5 + bytes.readUInt32BE(offset + 1);
    replies.push(readReply(bytes.subarray(offset + 5, end)));
    offset = end;
  }
  return replies;
}

function readReply(bytes: Buffer): unknown {
  for (const field of readFields(bytes)) {
    if (field.number === 1 && field.wireType === 2) {
      return JSON.parse(JSON.stringify(readStruct(readNested(field))));
    }
  }
  return undefined; // `google.protobuf.Empty`.
}
