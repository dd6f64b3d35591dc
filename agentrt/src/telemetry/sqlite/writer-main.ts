/** What the thread of `SqliteExporter` runs: it writes batches in the order in which they come. */
import { parentPort, workerData } from "node:worker_threads";
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
    case "spansOf": {
      using reader = new SpanReader(data.directory);
      return { spans: reader.spansOf(request.traceId, request.limit) };
    }
    default:
      files.close();
      files = undefined;
      return {};
  }
}

parentPort?.on("message", (request: WriterRequest) => {
  let answer: WriterAnswer;
  try {
    answer = answerTo(request);
  } catch (error) {
    answer = { failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
  if (request.type === "close") parentPort?.close();
});
