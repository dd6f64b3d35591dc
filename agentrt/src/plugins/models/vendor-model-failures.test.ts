/** What both vendors' models do when a server refuses, fails, or is late. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { inspect } from "node:util";
import { freePort, repetitions, type ScriptedAnswer, startScriptedServer } from "testkit";
import { child, type ModelChunk, supervisor, TableError } from "../../core/index.ts";
import { Simulation } from "../../testing/index.ts";
import {
  Asker,
  llm,
  json,
  question,
  beginStream,
  writeEvent,
  events,
  vendors,
  withProvider,
  code,
  refusal,
} from "./test-support/vendor-cases.ts";

for (const vendor of vendors) {
  const { name, answer, streamed } = vendor;

  test(`${name}: 429 is retried after what Retry-After says, in seconds or as a date`, async () => {
    const date = new Date(Date.UTC(2030, 0, 1)).toUTCString();
    const limited = (headers: { [header: string]: string }) => json(refusal("slow"), 429, headers);
    const answers = [
      limited({ "retry-after": "0" }),
      limited({ "retry-after": date, date }),
      limited({ "retry-after-ms": "1" }),
      answer(),
    ];
    await withProvider(vendor, answers, async ({ ask, requests, printed }) => {
      assert.equal((await ask()).content, "Hello");
      assert.equal(requests.length, 4);
      const waits = printed.flatMap((line) => /delayMs=(\d+)/.exec(line)?.[1] ?? []);
      assert.deepEqual(waits, ["0", "0", "1"]);
    });
  });

  test(`${name}: a Retry-After of an hour fails at once and says when`, async () => {
    const answers = [json(refusal("slow"), 429, { "retry-after": "3600" })];
    await withProvider(vendor, answers, async ({ ask, requests }) => {
      await assert.rejects(ask(), {
        ...code("RATE_LIMITED"),
        message: /again in 3600000 ms: .*slow/,
      });
      assert.equal(requests.length, 1);
    });
  });

  for (const [status, failure] of [
    [529, "OVERLOADED"],
    [503, "OVERLOADED"],
    [500, "SERVER_FAILED"],
    [429, "RATE_LIMITED"],
  ] as const) {
    test(`${name}: status ${status} is retried up to max_retries, then it is ${failure}`, async () => {
      const options = { retryCountMax: 2 };
      const answers = [json(refusal("no"), status)];
      await withProvider({ ...vendor, options }, answers, async ({ ask, requests }) => {
        await assert.rejects(ask(), code(failure));
        assert.equal(requests.length, 3);
      });
    });
  }

  test(`${name}: 400 and 401 are refused without a retry, in the server's words but not the key`, async () => {
    const echo: ScriptedAnswer = (response, { headers }) =>
      json(refusal(`bad: ${headers["authorization"]?.toString()}`), 401)(
        response,
        undefined as never,
      );
    await withProvider(vendor, [echo], async ({ ask, requests, printed }) => {
      await assert.rejects(ask(), {
        ...code("REFUSED"),
        message: /status 401: .*bad: .*\(hidden\)/,
      });
      assert.equal(requests.length, 1);
      assert.ok(printed.some((text) => text.includes("(hidden)")));
    });
  });

  test(`${name}: a stream that is cut after its first part says so and is not repeated`, async () => {
    const cut = events(vendor.stream.slice(0, 3), { isWhole: false });
    await withProvider(vendor, [cut], async ({ read, requests }) => {
      await assert.rejects(read(), (error) => {
        assert.ok(error instanceof TableError);
        assert.equal(error.code, "AGENTRT_MODEL_STREAM_CUT");
        assert.ok((error as unknown as { chunks: ModelChunk[] }).chunks.length > 0);
        return true;
      });
      assert.equal(requests.length, 1);
    });
  });

  test(`${name}: a stream that ends well but without its end is cut, too`, async () => {
    await withProvider(vendor, [events(vendor.stream.slice(0, 3))], async ({ read }) => {
      await assert.rejects(read(), { ...code("STREAM_CUT"), message: /its end is missing/ });
    });
  });

  test(`${name}: an error inside a stream is the error it names`, async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "busy" } };
    const failing = events([...vendor.stream.slice(0, 3), error]);
    await withProvider(vendor, [failing], async ({ read }) => {
      await assert.rejects(read(), code("OVERLOADED"));
    });
    // Nothing was handed on yet: the request may be made again.
    await withProvider(vendor, [events([error]), streamed], async ({ read, requests }) => {
      assert.equal((await read()).at(-1)?.type, "end");
      assert.equal(requests.length, 2);
    });
  });

  test(`${name}: malformed JSON in an answer, in a stream and in the arguments of a tool`, async () => {
    await withProvider(vendor, [json("{ this is no JSON")], async ({ ask, requests }) => {
      await assert.rejects(ask(), { ...code("REPLY_INVALID"), message: /it is not JSON/ });
      assert.equal(requests.length, 1);
    });
    const broken: ScriptedAnswer = (response) => {
      beginStream(response);
      writeEvent(response, vendor.stream[0] ?? {});
      response.end("event: content_block_delta\ndata: { this is no JSON\n\n");
    };
    await withProvider(vendor, [broken], async ({ read }) => {
      await assert.rejects(read(), code("REPLY_INVALID"));
    });
    for (const text of ['{"a": ', "[1]", "5"]) {
      await withProvider(vendor, [vendor.toolAnswer(text)], async ({ read, runtime }) => {
        await assert.rejects(read(), { ...code("TOOL_INPUT_INVALID"), message: /tool "add"/ });
        // The answer was paid for.
        assert.equal(runtime.snapshot().agents["asker"]?.tokensOut, 500);
      });
    }
  });

  test(`${name}: a page of HTML and an answer of another kind make no sense`, async () => {
    const html: ScriptedAnswer = (response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    for (const other of [html, json({ hello: "world" }), json("null")]) {
      await withProvider(vendor, [other], async ({ ask }) => {
        await assert.rejects(ask(), code("REPLY_INVALID"));
      });
    }
  });

  test(`${name}: an answer that never ends is given up, streamed or not`, async () => {
    const endless =
      (begin: string, part: string): ScriptedAnswer =>
      (response) => {
        const type = begin === "" ? "text/event-stream" : "application/json";
        response.writeHead(200, { "content-type": type });
        response.write(begin);
        const more = (): void => {
          while (!response.destroyed && response.write(part));
        };
        response.on("drain", more);
        more();
      };
    const noise = `: ${"x".repeat(1_000_000)}\n\n`;
    const answers = [endless('{"a": "', noise.trim()), endless("", noise)];
    await withProvider(vendor, answers, async ({ ask, read }) => {
      const tooLong = { ...code("REPLY_INVALID"), message: /it is longer than 33554432 bytes/ };
      await assert.rejects(ask(), tooLong);
      await assert.rejects(read(), tooLong);
    });
  });

  test(`${name}: whatever a server answers, the call ends in an answer or a typed error`, async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          model: fc.option(fc.string()),
          content: fc.anything({ withNullPrototype: false }),
          choices: fc.array(
            fc.record({ message: fc.option(fc.jsonValue()), delta: fc.jsonValue() }),
          ),
          usage: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
    );
    let next = { status: 200, text: "", isStream: false };
    const answering: ScriptedAnswer = (response) => {
      const type = next.isStream ? "text/event-stream" : "application/json";
      response.writeHead(next.status, { "content-type": type });
      response.end(next.isStream ? `event: message_start\ndata: ${next.text}\n\n` : next.text);
    };
    const options = { retryCountMax: 0 };
    await withProvider({ ...vendor, options }, [answering], async ({ ask, read }) => {
      const status = fc.constantFrom(200, 200, 200, 404, 429, 500);
      const property = fc.asyncProperty(
        body,
        status,
        fc.boolean(),
        async (text, code, isStream) => {
          next = { status: code, text, isStream };
          const work: Promise<unknown> = isStream ? read() : ask();
          const failure: unknown = await work.then(
            () => undefined,
            (error: unknown) => error,
          );
          if (failure === undefined) return;
          assert.ok(failure instanceof TableError, inspect(failure));
          assert.match(failure.code, /^AGENTRT_MODEL_/);
        },
      );
      await fc.assert(property, { numRuns: repetitions(150) });
    });
  });

  test(`${name}: a first byte, and a next part, that do not come in time`, async () => {
    const silent: ScriptedAnswer = () => arrived.resolve();
    const stuck: ScriptedAnswer = (response) => {
      beginStream(response);
      for (const event of vendor.stream.slice(0, 3)) writeEvent(response, event);
    };
    let arrived = Promise.withResolvers<void>();
    await using server = await startScriptedServer(silent, silent, stuck);
    const environment = {};
    const provider = vendor.make({
      baseUrl: `${server.url}${vendor.suffix}`,
      defaultModel: "m",
      timeoutMs: 120_000,
      environment,
    });
    await using simulation = new Simulation({
      supervision: supervisor("root", { children: [child(Asker, "asker")] }),
      models: [{ name, provider }],
    });
    await simulation.start();
    // Sockets are real and time is not: it passes when the server has the request.
    const late = async (pending: Promise<unknown>, waited: RegExp): Promise<void> => {
      const rejected = assert.rejects(pending, { ...code("TIMEOUT"), message: waited });
      await arrived.promise;
      arrived = Promise.withResolvers();
      await simulation.advance(120_100);
      await rejected;
    };
    const next = (chunks: AsyncIterator<ModelChunk>): Promise<unknown> => chunks.next();
    await late(llm().chat(question), /no answer came within 120000 ms/);
    await late(next(llm().stream(question)[Symbol.asyncIterator]()), /no part of the answer/);
    const chunks = llm().stream(question)[Symbol.asyncIterator]();
    await chunks.next();
    if (name === "openai") await chunks.next();
    arrived.resolve();
    await late(next(chunks), /no further part of the answer/);
  });

  test(`${name}: to stop reading closes the connection`, async () => {
    let onClose: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const endless: ScriptedAnswer = (response) => {
      beginStream(response);
      response.on("close", onClose);
      for (const event of vendor.stream.slice(0, 3)) writeEvent(response, event);
    };
    await withProvider(vendor, [endless], async () => {
      for await (const each of llm().stream(question)) if (each.type === "text") break;
      await closed;
    });
  });

  test(`${name}: nothing listens, and a connection that is cut before an answer`, async () => {
    const cut: ScriptedAnswer = (response) => void response.socket?.destroy();
    await withProvider(vendor, [cut, answer()], async ({ ask, requests }) => {
      assert.equal((await ask()).content, "Hello");
      assert.equal(requests.length, 2);
    });
    await withProvider(
      { ...vendor, options: { baseUrl: `http://127.0.0.1:${await freePort()}`, retryCountMax: 0 } },
      [answer()],
      async ({ ask }) => {
        await assert.rejects(ask(), {
          ...code("UNREACHABLE"),
          message: /no connection: nothing answers at that address/,
        });
      },
    );
  });
}
