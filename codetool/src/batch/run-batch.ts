import { type CommandContext, ResidentIndexes } from "../commands/index.ts";
import { isWritingLine, runLine } from "./run-line.ts";
import { splitLines } from "./split-lines.ts";

/** What a batch reads from, writes to and runs in. */
export interface BatchOptions {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Writes one envelope with its newline; resolves when more may be written, to false when nobody reads any more. */
  readonly write: (text: string) => Promise<boolean>;
  readonly context: CommandContext;
  /** Budget of lines that give none. */
  readonly budgetTokens?: number;
  /** Commands in flight, 1 and up; default 8. */
  readonly concurrencyMax?: number;
  /** Longest line, default 1 MiB; a longer one gets an error envelope. */
  readonly lineSizeBytesMax?: number;
}

const concurrencyMaxDefault = 8;
const lineSizeBytesMaxDefault = 1024 * 1024;

/**
 * Runs commands from lines of JSON and writes their envelopes in the order of the lines, each as soon as it and those
 * before it are done. Nothing runs at the same time as a line that may change files. No more lines are read than may be
 * in flight, so a long input waits at its source. It ends with the input, or when nobody reads the answers any more.
 */
export async function runBatch(options: BatchOptions): Promise<void> {
  const { write, budgetTokens } = options;
  using corpora = new ResidentIndexes();
  const end = new AbortController();
  const context = { ...options.context, corpora, ...endedBySignals(options.context, end) };
  const concurrencyMax = options.concurrencyMax ?? concurrencyMaxDefault;
  const lineSizeBytesMax = options.lineSizeBytesMax ?? lineSizeBytesMaxDefault;
  const inFlight: Promise<boolean>[] = [];
  let written = Promise.resolve(true);
  for await (const line of until(end.signal, splitLines(options.input, lineSizeBytesMax))) {
    if ("text" in line && line.text.trim() === "") continue;
    // Lines after a line that writes see its result; lines before it do not.
    const isAlone = isWritingLine(line);
    if (isAlone && !(await written)) return;
    const answer = runLine(line, {
      context,
      lineSizeBytesMax,
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    });
    const before = written;
    written = (async () => {
      const isRead = await before;
      return isRead && (await write(`${await answer}\n`));
    })();
    // The next wait reports a failed write; until then the failure must not count as unhandled.
    written.catch(() => undefined);
    inFlight.push(written);
    if (isAlone && !(await written)) return;
    if (inFlight.length >= concurrencyMax && (await inFlight.shift()) === false) return;
  }
  await written;
}

/** A signal for a program that a line runs also ends the batch, after the answers to lines that have begun. */
function endedBySignals(
  { onSignal }: CommandContext,
  end: AbortController,
): Pick<CommandContext, "onSignal"> {
  if (onSignal === undefined) return {};
  return {
    onSignal: (listener) =>
      onSignal((signal) => {
        end.abort();
        listener(signal);
      }),
  };
}

/** Passes on the input until the signal is aborted; the abort also ends a wait for more input. */
async function* until<Item>(
  signal: AbortSignal,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item, void> {
  const iterator = items[Symbol.asyncIterator]();
  let wake = (): void => undefined;
  signal.addEventListener("abort", () => wake(), { once: true });
  while (!signal.aborted) {
    const next = await new Promise<IteratorResult<Item> | undefined>((resolve, reject) => {
      wake = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
    if (next === undefined || next.done === true) return;
    yield next.value;
  }
}
