import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as grpc from "@grpc/grpc-js";
import type { JsonObject } from "../../../../core/index.ts";
import { readStruct, writeStruct } from "../../../grpc/struct.ts";
import { readFields, readNested } from "../../../grpc/wire-reader.ts";
import { WireWriter } from "../../../grpc/wire-writer.ts";
import { type CaseResult, type Check, runChecks } from "./check.ts";

/** Version of the client. */
export function grpcClientVersion(): string {
  const require = createRequire(import.meta.url);
  return (require("@grpc/grpc-js/package.json") as { readonly version: string }).version;
}

const same = (bytes: Buffer): Buffer => bytes;
const section = "interop test descriptions, on Invoke and Stream";
const invoke = "/agentrt.Agent/Invoke";
const streamed = "/agentrt.Agent/Stream";
const { status } = grpc;

function encode(payload: JsonObject, recipient = "echo"): Buffer {
  return new WireWriter()
    .text(1, recipient)
    .nested(3, (struct) => writeStruct(struct, payload))
    .finish();
}

function decode(bytes: Buffer): JsonObject | undefined {
  for (const field of readFields(bytes)) {
    if (field.number === 1 && field.wireType === 2) return readStruct(readNested(field));
  }
  return undefined;
}

interface Called {
  readonly code: number;
  readonly details: string;
  readonly reply: JsonObject | undefined;
}

interface How {
  readonly method?: string;
  readonly deadlineMs?: number;
  readonly metadata?: grpc.Metadata;
}

function unary(client: grpc.Client, body: Buffer, how: How = {}): Promise<Called> {
  const { method = invoke, deadlineMs = 10_000, metadata = new grpc.Metadata() } = how;
  const deadline = Date.now() + deadlineMs;
  return new Promise((resolve) => {
    client.makeUnaryRequest(method, same, same, body, metadata, { deadline }, (error, reply) =>
      resolve({
        code: error?.code ?? status.OK,
        details: error?.details ?? "",
        reply: reply === undefined ? undefined : decode(reply),
      }),
    );
  });
}

/** A large message, sent by a client that compresses. */
async function compressed(address: string, algorithm: number): Promise<Called> {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.default_compression_algorithm": algorithm,
  });
  const called = await unary(client, encode(large));
  client.close();
  return called;
}

/** Reads a streamed reply; `onChunk` may cancel it. */
async function readStream(
  client: grpc.Client,
  body: Buffer,
  onChunk: (call: grpc.ClientReadableStream<Buffer>, count: number) => void = () => undefined,
): Promise<{ readonly code: number; readonly chunks: readonly (JsonObject | undefined)[] }> {
  const call = client.makeServerStreamRequest(streamed, same, same, body);
  const chunks: (JsonObject | undefined)[] = [];
  onChunk(call, 0);
  try {
    for await (const chunk of call) {
      chunks.push(decode(chunk as Buffer));
      onChunk(call, chunks.length);
    }
    return { code: status.OK, chunks };
  } catch (error) {
    return { code: (error as grpc.ServiceError).code, chunks };
  }
}

/** What an agent of the judge's topology is asked: see `judgeAgents`. */
const large = { text: "x".repeat(271_828) };
/** Numbers of `grpc.default_compression_algorithm`. */
const algorithms = { deflate: 1, gzip: 2 } as const;
const special = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";

/**
 * Runs the cases of gRPC's interop tests that have a meaning for `agentrt.Agent`, by the client of @grpc/grpc-js.
 *
 * @param address Host and port, in clear text.
 */
export async function judgeGrpc(address: string): Promise<CaseResult[]> {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const cases: { readonly [name: string]: () => Promise<void> } = {
    empty_unary: async () => {
      assert.deepEqual({ ...(await unary(client, encode({}))).reply }, {});
    },
    large_unary: async () => {
      assert.deepEqual({ ...(await unary(client, encode(large))).reply }, large);
    },
    server_streaming: async () => {
      const { code, chunks } = await readStream(client, encode({ do: "count" }));
      assert.deepEqual([code, chunks.map((chunk) => chunk?.["n"])], [status.OK, [1, 2, 3]]);
    },
    status_code_and_message: async () => {
      const { code, details } = await unary(client, encode({ do: "fail" }));
      assert.deepEqual([code, details], [status.INTERNAL, "agent 'echo' crashed"]);
    },
    special_status_message: async () => {
      const { code, details } = await unary(client, encode({}, special));
      assert.deepEqual([code, details], [status.NOT_FOUND, `agent '${special}' not found`]);
    },
    unimplemented_method: async () => {
      const { code } = await unary(client, encode({}), { method: "/agentrt.Agent/Unimplemented" });
      assert.equal(code, status.UNIMPLEMENTED);
    },
    unimplemented_service: async () => {
      const { code } = await unary(client, encode({}), { method: "/agentrt.Nothing/Call" });
      assert.equal(code, status.UNIMPLEMENTED);
    },
    cancel_after_begin: async () => {
      const { code, chunks } = await readStream(client, encode({ do: "sleep" }), (call, count) => {
        // At once this client would tell nobody: it opens the call after its end.
        if (count === 0) setTimeout(() => call.cancel(), 50);
      });
      assert.deepEqual([code, chunks], [status.CANCELLED, []]);
    },
    cancel_after_first_response: async () => {
      const { code, chunks } = await readStream(
        client,
        encode({ do: "endless" }),
        (call, count) => {
          if (count === 1) call.cancel();
        },
      );
      assert.equal(code, status.CANCELLED);
      assert.ok(chunks.length >= 1);
      assert.equal((await unary(client, encode({}))).code, status.OK);
    },
    timeout_on_sleeping_server: async () => {
      const { code } = await unary(client, encode({ do: "sleep" }), { deadlineMs: 50 });
      assert.equal(code, status.DEADLINE_EXCEEDED);
    },
    custom_metadata: async () => {
      const metadata = new grpc.Metadata();
      metadata.set("x-grpc-test-echo-initial", "test_initial_metadata_value");
      metadata.set("x-grpc-test-echo-trailing-bin", Buffer.from([0xab, 0xab, 0xab]));
      assert.equal((await unary(client, encode({}), { metadata })).code, status.OK);
    },
    client_compressed_unary: async () => {
      const { code, reply } = await compressed(address, algorithms.gzip);
      assert.deepEqual({ code, reply: { ...reply } }, { code: status.OK, reply: large });
    },
    "client_compressed_unary, an encoding that the gateway does not know": async () => {
      assert.equal((await compressed(address, algorithms.deflate)).code, status.UNIMPLEMENTED);
    },
    server_compressed_unary: async () => {
      const metadata = new grpc.Metadata();
      metadata.set("grpc-accept-encoding", "identity,deflate,gzip");
      assert.deepEqual({ ...(await unary(client, encode(large), { metadata })).reply }, large);
    },
    concurrent_large_unary: async () => {
      const called = await Promise.all(
        Array.from({ length: 50 }, () => unary(client, encode(large))),
      );
      assert.deepEqual(new Set(called.map(({ code }) => code)), new Set([status.OK]));
    },
    rpc_soak: async () => {
      for (let count = 0; count < 200; count += 1) {
        assert.equal((await unary(client, encode({ count }))).code, status.OK);
      }
    },
    channel_soak: async () => {
      for (let count = 0; count < 50; count += 1) {
        const own = new grpc.Client(address, grpc.credentials.createInsecure());
        assert.equal((await unary(own, encode({ count }))).code, status.OK);
        own.close();
      }
    },
  };
  const checks = Object.entries(cases).map(([name, run]): Check => ({ section, name, run }));
  const results = await runChecks(checks);
  client.close();
  return results;
}

/** The agent `echo` that judges talk to: it gives back what it gets, or does what `do` says. */
export const judgeAgents = `
import { Agent, type Message } from "agentrt";

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Echo extends Agent {
  override async handle(message: Message) {
    const { payload } = message;
    switch (payload["do"]) {
      case "count":
        for (let n = 1; n <= 3; n += 1) await this.emit(message, { n });
        return undefined;
      case "endless":
        try {
          for (let n = 1; ; n += 1) {
            await this.emit(message, { n });
            await sleep(5);
          }
        } catch {
          return undefined;
        }
      case "sleep":
        await sleep(300);
        return {};
      case "fail":
        throw new Error("as asked");
      default:
        return payload;
    }
  }
}
`;
