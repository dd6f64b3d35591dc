import { parentPort, workerData } from "node:worker_threads";
import type { WalkedFile } from "../../files/index.ts";
import { TextEmbedder, TokenTable } from "../../model/index.ts";
import { useRegisteredGrammars } from "../../syntax/index.ts";
import type { GatheredFile, GatherOptions } from "./batch.ts";
import { makeRun } from "./make-run.ts";

/** The data that a worker gets when it starts. */
export interface GatherWorkerData extends GatherOptions {
  /** The token table, shared by all workers. */
  readonly table: SharedArrayBuffer;
}

/** A request to a worker: make a run of these files in that folder. */
export interface GatherRequest {
  readonly files: readonly WalkedFile[];
  readonly directory: string;
}

/** The answer of a worker: what was read of each file, in order, or why it failed. */
export type GatherAnswer =
  | { readonly gathered: readonly (GatheredFile | null)[] }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

/** Makes runs, one request after the other, in a thread that was started for that. */
export function serveGathering(): void {
  const data = workerData as GatherWorkerData;
  if (parentPort === null) return;
  const port = parentPort;
  useRegisteredGrammars();
  const embedder = new TextEmbedder(new TokenTable(new Uint8Array(data.table)));
  const answer = async ({ files, directory }: GatherRequest): Promise<GatherAnswer> => {
    try {
      return { gathered: await makeRun(files, { ...data, embedder, directory }) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { failure: { message, code } };
    }
  };
  port.on("message", (request: GatherRequest) => {
    void answer(request).then((result) => port.postMessage(result));
  });
}
