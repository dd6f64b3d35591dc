import { type Agent, defaultReply, isThenable } from "../agents/index.ts";
import type { Bus } from "../tree/index.ts";
import { copyOfChunk } from "./copy-of-chunk.ts";
import type { TallyCounters } from "./counters.ts";
import { agentErrors, streamErrors } from "../errors.ts";
import {
  type HandleResult,
  isStateRequest,
  messageInternals,
  type Message,
  type StreamSlot,
} from "../messages/index.ts";
import type { Watchdog } from "./watchdog.ts";

/** Something that gives chunks: an async iterable, or a synchronous generator. */
export interface ChunkSource {
  open(): Iterator<unknown> | AsyncIterator<unknown>;
  /** True when chunks that are promises have to be awaited, as `for await` does. */
  readonly isSynchronous: boolean;
}

/**
 * Finds out whether a handler streams.
 *
 * @param result What it returned.
 * @returns Its chunks; undefined for anything else, lists, maps and plain objects included.
 */
export function chunkSourceOf(result: unknown): ChunkSource | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const members = result as Partial<AsyncIterable<unknown>> & Partial<IterableIterator<unknown>>;
  if (typeof members[Symbol.asyncIterator] === "function") {
    const open = (): AsyncIterator<unknown> =>
      (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    return { open, isSynchronous: false };
  }
  if (typeof members[Symbol.iterator] !== "function" || typeof members.next !== "function")
    return undefined;
  const open = (): Iterator<unknown> => (result as Iterable<unknown>)[Symbol.iterator]();
  return { open, isSynchronous: true };
}

/**
 * Closes the chunks of a handler that nobody is going to take, such as the body of a response. A generator that has not
 * begun runs nothing of its code.
 *
 * @param result What the handler returned.
 * @returns False when it is not a source of chunks.
 */
export function discardChunks(result: unknown): boolean {
  const source = chunkSourceOf(result);
  if (source === undefined) return false;
  // What it throws is of no interest: it was not to be used at all.
  openAndClose(source).catch(() => undefined);
  return true;
}

async function openAndClose(source: ChunkSource): Promise<void> {
  await close(source.open());
}

/**
 * Settles a message whose handler ended with an error that is not a fault of the agent: its consumer has left, or its
 * caller asked with `call` for what is a stream. Who asked for the state gets it all the same.
 *
 * @returns False when the error is the handler's own.
 * @throws What `redactState` throws.
 */
export function settleStreamEnd(failed: {
  readonly agent: Agent;
  readonly message: Message;
  readonly error: unknown;
  readonly bus: Bus;
}): boolean {
  const { agent, message, error, bus } = failed;
  if (messageInternals.streamOf(message)?.isCausedByEnd(error) === true) return true;
  if (!(error instanceof streamErrors.NOT_A_REPLY) || error.details.agent !== agent.name)
    return false;
  if (isStateRequest(message)) bus.reply(message, agent.redactState(agent.state));
  else messageInternals.replyOf(message)?.reject(error);
  return true;
}

/** What producing needs from the incarnation. */
export interface ProductionHost {
  readonly agent: Agent;
  readonly bus: Bus;
  readonly counters: TallyCounters;
  /** Holds the wait for each chunk to the agent's `handleTimeoutMs`, when there is one. */
  readonly watchdog: Watchdog | undefined;
  /** Chunks after which other mailboxes, timers and sockets have their turn. */
  readonly sliceLengthMax: number;
  /** @returns True when the incarnation is over. */
  isOver(): boolean;
  /** @returns A consumer's error when the incarnation ends after the message at hand; undefined when it goes on. */
  endingError(): Error | undefined;
  /** The first chunk of a stream was sent. */
  onFirstChunk(): void;
  /** Gives the others their turn. */
  pause(): Promise<void>;
}

/**
 * Sends what a handler gave, chunk by chunk, to the caller that asked for a stream. When nobody waits for a reply, the
 * source still runs to its end, so that its effects happen; its chunks are dropped.
 *
 * @returns Undefined when an ordinary reply is due instead.
 */
export function produceReply(
  message: Message,
  result: HandleResult,
  host: ProductionHost,
): Promise<void> | undefined {
  const slot = messageInternals.streamOf(message);
  const source = chunkSourceOf(result);
  if (source === undefined)
    return slot === undefined ? undefined : replyOnce(message, result, { host, slot });
  const isCall = slot === undefined && messageInternals.replyOf(message) !== undefined;
  return isCall ? undefined : produceAll(source, slot, host);
}

/** Answers a stream request with a plain reply: one chunk and the end. Without a reply it sends only the end. */
async function replyOnce(
  message: Message,
  result: HandleResult,
  { host, slot }: { readonly host: ProductionHost; readonly slot: StreamSlot },
): Promise<void> {
  const { agent, bus, counters } = host;
  if ((result !== undefined && result !== null) || isStateRequest(message)) {
    const isWanted = slot.isOpen;
    bus.reply(message, result ?? defaultReply(agent, message));
    if (isWanted) counters.chunksSent += 1;
  }
  await slot.end();
}

async function produceAll(
  source: ChunkSource,
  slot: StreamSlot | undefined,
  host: ProductionHost,
): Promise<void> {
  if (slot !== undefined) {
    slot.hasBegun = true;
    const ending = host.endingError();
    if (ending !== undefined) slot.reject(ending);
  }
  await produceChunks(source, slot, host);
  await slot?.end();
}

/**
 * Takes the chunks of a source one by one and sends them, each when there is room for it. When nobody wants more, the
 * source's `return()` is called, so that its `finally` blocks run.
 */
async function produceChunks(
  source: ChunkSource,
  slot: StreamSlot | undefined,
  host: ProductionHost,
): Promise<void> {
  const { watchdog, bus, counters, sliceLengthMax } = host;
  const iterator = source.open();
  const isWanted = (): boolean => !host.isOver() && slot?.isOpen !== false;
  const settled = <Result>(pending: PromiseLike<Result>): PromiseLike<Result> =>
    watchdog === undefined ? pending : watchdog.watch(pending);
  let sliceLength = 0;
  // What is at rest between two steps has to be closed; what has ended or failed by itself has not.
  let isAtRest = true;
  try {
    while (isWanted()) {
      isAtRest = false;
      const pending = iterator.next();
      const step = isThenable(pending) ? await settled(pending) : pending;
      if (step.done === true) return;
      isAtRest = true;
      let chunk: unknown = step.value;
      if (source.isSynchronous && isThenable(chunk)) chunk = await settled(chunk);
      if (!isWanted()) break;
      if (slot !== undefined) {
        const isFirst = slot.chunkCount === 0;
        const room = slot.push(copyOfChunk(bus, chunk as object));
        if (isFirst) host.onFirstChunk();
        counters.chunksSent += 1;
        if (room !== undefined) await room;
      }
      sliceLength += 1;
      if (sliceLength >= sliceLengthMax) {
        sliceLength = 0;
        await host.pause();
      }
    }
  } catch (error) {
    if (!isAtRest) {
      // A source that is late closes when it gets to it.
      if (error instanceof agentErrors.HANDLE_TIMEOUT) close(iterator).catch(() => undefined);
      throw error;
    }
    if (slot?.isCausedByEnd(error) !== true) {
      await close(iterator).catch(() => undefined);
      throw error;
    }
  }
  await close(iterator);
}

async function close(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}
