import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import {
  Agent,
  child,
  createTextLog,
  GenServer,
  type Message,
  supervisor,
} from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import type { SpanExporter } from "../span-exporter.ts";
import type { SpanRecord } from "../span-record.ts";
import { SpanReader } from "./span-reader.ts";
import { SqliteExporter } from "./sqlite-exporter.ts";

const secret = "sk-abcdefghijklmnop";
const outside = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };

class Worker extends Agent {
  override onError() {
    return "retry" as const;
  }
  override async handle(message: Message): Promise<object> {
    if (message.payload["fail"] === true && message.attempt === 0)
      throw new RangeError(`no "${secret}" here`);
    const attributes = { "shop.key": secret, "shop.items": ["one", secret], "shop.price": 1.5 };
    await this.span("shop.work", () => undefined, attributes);
    await this.call("server", {}, { type: "ask" });
    return {};
  }
}

class Server extends GenServer {
  override handleCall(): object {
    return {};
  }
}

class Keeper implements SpanExporter {
  readonly records: SpanRecord[] = [];
  readonly batchLengthMax = 7;

  export(records: readonly SpanRecord[]): void {
    this.records.push(...records);
  }
}

const bySpan = (one: SpanRecord, other: SpanRecord): number =>
  one.spanId.localeCompare(other.spanId);

test("the files have every span just as another exporter gets it, and no secret", async () => {
  using folder = createTemporaryFolder({});
  const keeper = new Keeper();
  const runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    exporters: [new SqliteExporter({ directory: folder.path }), keeper],
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(Worker, "worker"), child(Server, "server")],
    }),
  });
  await runtime.start();
  for (let count = 0; count < 30; count += 1)
    await runtime.call(
      "worker",
      { fail: count % 3 === 0 },
      count % 2 === 0 ? {} : { trace: outside },
    );
  await runtime.stop();
  using reader = new SpanReader(folder.path);
  const stored = reader.recentSpans(10_000).sort(bySpan);
  const kept = keeper.records.sort(bySpan);
  assert.ok(kept.length > 30 * 7);
  assert.equal(reader.count(), kept.length);
  const rounded = (records: readonly SpanRecord[]) =>
    records.map((record) => ({
      ...record,
      startMs: Math.round(record.startMs * 1000),
      endMs: Math.round(record.endMs * 1000),
    }));
  assert.deepEqual(rounded(stored), rounded(kept));
  assert.deepEqual(JSON.stringify(stored).includes(secret), false);
  const failed = stored.find(({ status }) => status === "error");
  assert.equal(failed?.attributes["error.type"], "RangeError");
  for (const { traceId } of kept.slice(0, 20)) {
    assert.equal(
      reader.spansOf(traceId, 10_000).length,
      kept.filter((record) => record.traceId === traceId).length,
    );
  }
});
