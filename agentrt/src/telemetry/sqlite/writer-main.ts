/** What the thread of `SqliteExporter` runs: it writes batches in the order in which they come. */
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../core/index.ts";
import type { UnreadSpans } from "../trace-list.ts";
import { SpanFiles } from "./span-files.ts";
import { SpanReader } from "./span-reader.ts";
import { RowMaker } from "./span-row.ts";
import type { WriterAnswer, WriterData, WriterRequest } from "./writer-messages.ts";

const data = workerData as WriterData;
const maker = new RowMaker(data.words);
let files: SpanFiles | undefined;

function answerTo(request: WriterRequest): WriterAnswer {
  files ??= new SpanFiles(data);
  switch (request.type) {
    case "write":
      files.write(
        request.blocks.flatMap((block) => maker.rowsOf(block)),
        request.nowMs,
      );
      return {};
    case "spansOf":
      return {
        found: read((reader) => ({ spans: reader.spansOf(request.traceId, request.limit) })),
      };
    case "traces":
      return {
        list: read((reader) => ({ ...reader.traces(request.query), source: reader.source })),
      };
    default:
      files.close();
      files = undefined;
      return {};
  }
}

/** Reads the folder: a file that is damaged is named, and the others are read. */
function read<Found>(
  take: (reader: SpanReader) => Found,
): Found & { readonly unread: readonly UnreadSpans[] } {
  const unread = new Map<string, string>();
  using reader = new SpanReader(data.directory, {
    onDamaged: (source, error) => void unread.set(source, reasonOf(error)),
  });
  const found = take(reader);
  return { ...found, unread: Array.from(unread, ([source, reason]) => ({ source, reason })) };
}

parentPort?.on("message", (request: WriterRequest) => {
  let answer: WriterAnswer;
  try {
    answer = answerTo(request);
  } catch (error) {
    answer = { failure: reasonOf(error) };
  }
  parentPort?.postMessage(answer);
  if (request.type === "close") parentPort?.close();
});
