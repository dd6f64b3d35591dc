/** What both threads of `SqliteExporter` run: requests in the order in which they come. */
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../core/index.ts";
import { SpanFiles } from "./span-files.ts";
import { readSpans } from "./read-spans.ts";
import { RowMaker } from "./span-row.ts";
import type { WriterAnswer, WriterData, WriterRequest } from "./writer-messages.ts";

const data = workerData as WriterData;
const maker = new RowMaker(data.words);
let files: SpanFiles | undefined;

function answerTo(request: WriterRequest): WriterAnswer {
  switch (request.type) {
    case "write":
      files ??= new SpanFiles(data);
      files.write(
        request.blocks.flatMap((block) => maker.rowsOf(block)),
        request.nowMs,
      );
      return {};
    case "spansOf":
      return {
        found: readSpans(data.directory, (reader) => ({
          spans: reader.spansOf(request.traceId, request.limit),
        })),
      };
    case "traces":
      return {
        list: readSpans(data.directory, (reader) => ({
          ...reader.traces(request.query),
          source: reader.source,
        })),
      };
    default:
      files?.close();
      files = undefined;
      return {};
  }
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
