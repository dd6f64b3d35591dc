import { closeSync, openSync, write } from "node:fs";
import type { System } from "../../core/index.ts";
import { gatewayErrors } from "../errors.ts";
import type { GatewayLog } from "../ports.ts";
import type { RequestRecord } from "../request-record.ts";
import { type AccessLogFormat, type AccessOutcome, combinedLine, jsonLine } from "./access-line.ts";

/** What an access log is opened with. */
export interface AccessLogOptions {
  /** Name of the gateway, for messages. */
  readonly node: string;
  /** File that lines are added to; it is made with mode 0600. Default standard output. */
  readonly path?: string | undefined;
  /** Default `json`. */
  readonly format?: AccessLogFormat | undefined;
  readonly system: System;
  /** For what keeps lines from being written. */
  readonly log: GatewayLog;
  /** Bytes that wait for the disk. Default 4 194 304. With so many, further lines are dropped. */
  readonly waitingSizeBytesMax?: number;
}

const standardOutput = 1;
const waitingSizeBytesMaxDefault = 4_194_304;
const closeTimeoutMs = 1_000;
const retryDelayMs = 50;
const warnPauseMs = 10_000;

/** The lines of one gateway on their way to a file. */
export class AccessLog {
  readonly #options: AccessLogOptions;
  readonly #format: typeof jsonLine;
  #file: number;
  /** Takes the place of the file behind the write in work. */
  #nextFile: number | undefined;
  #waiting: string[] = [];
  #waitingSizeBytes = 0;
  #droppedCount = 0;
  #dropReason = "";
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #isWriting = false;
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  /** Opens the file. Throws AGENTRT_GATEWAY_SETTING_INVALID when it cannot be opened. */
  constructor(options: AccessLogOptions) {
    this.#options = options;
    this.#format = options.format === "combined" ? combinedLine : jsonLine;
    this.#file = this.#open();
  }

  /**
   * Adds the line of a request; never waits.
   *
   * @param record Of the request.
   * @param outcome How it ended.
   */
  write(record: RequestRecord, outcome: AccessOutcome): void {
    if (this.#isClosed) return;
    const { system, waitingSizeBytesMax = waitingSizeBytesMaxDefault } = this.#options;
    if (this.#waitingSizeBytes >= waitingSizeBytesMax) {
      this.#drop(1, "the disk is too slow");
      return;
    }
    const durationMs = system.monotonicMs() - record.begunAtMs;
    const line = this.#format(record, outcome, { nowMs: system.nowMs(), durationMs });
    this.#waiting.push(line);
    this.#waitingSizeBytes += line.length;
    // Lines of one turn of the event loop are written together.
    if (this.#isWriting) return;
    this.#isWriting = true;
    system.yieldTurn(() => this.#writeNext());
  }

  /**
   * Opens the file again under its path, after a rotation has moved it away. Lines that wait go to the new one. What
   * cannot be opened is logged, and the old file is written on.
   */
  reopen(): void {
    if (this.#options.path === undefined || this.#isClosed) return;
    try {
      const file = this.#open();
      if (this.#nextFile !== undefined) closeSync(this.#nextFile);
      this.#nextFile = file;
    } catch (error) {
      const { node, log } = this.#options;
      log.error("The access log could not be opened again", { node, error });
      return;
    }
    if (!this.#isWriting) this.#swap();
  }

  /** Writes what waits, for a second at most, and closes the file. */
  async close(): Promise<void> {
    const { system } = this.#options;
    // Connections that were cut off say so in the next turn.
    await new Promise<void>((resolve) => {
      system.yieldTurn(resolve);
    });
    this.#isClosed = true;
    if (this.#isWriting) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onIdle = resolve;
      const timer = system.setTimer(closeTimeoutMs, resolve);
      await promise;
      system.clearTimer(timer);
    }
    this.#drop(this.#waiting.length, "the disk is too slow");
    this.#waiting = [];
    this.#warn();
    // A write that still hangs has the file: the system closes it with the process.
    if (this.#isWriting) return;
    this.#swap();
    if (this.#file !== standardOutput) closeSync(this.#file);
  }

  #open(): number {
    const { node, path } = this.#options;
    if (path === undefined) return standardOutput;
    try {
      return openSync(path, "a", 0o600);
    } catch (cause) {
      const reason = `"${path}" cannot be opened: ${(cause as NodeJS.ErrnoException).code}`;
      throw new gatewayErrors.SETTING_INVALID({ node, key: "access_log.path", reason }, { cause });
    }
  }

  #swap(): void {
    if (this.#nextFile === undefined) return;
    closeSync(this.#file);
    this.#file = this.#nextFile;
    this.#nextFile = undefined;
  }

  #writeNext(): void {
    this.#swap();
    if (this.#waiting.length === 0) {
      this.#isWriting = false;
      this.#onIdle?.();
      return;
    }
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingSizeBytes = 0;
    this.#writeBytes(Buffer.from(lines.join("")), lines.length);
  }

  #writeBytes(bytes: Buffer, lineCount: number): void {
    // oxlint-disable-next-line max-params -- Node calls it with these
    write(this.#file, bytes, (error, writtenSizeBytes) => {
      if (error?.code === "EAGAIN") {
        this.#options.system.setTimer(retryDelayMs, () => this.#writeBytes(bytes, lineCount));
        return;
      }
      if (error !== null) this.#drop(lineCount, error.code ?? error.message);
      else if (writtenSizeBytes < bytes.byteLength) {
        this.#writeBytes(bytes.subarray(writtenSizeBytes), lineCount);
        return;
      }
      const nowMs = this.#options.system.monotonicMs();
      if (nowMs - this.#warnedAtMs >= warnPauseMs) this.#warn();
      this.#writeNext();
    });
  }

  #drop(count: number, reason: string): void {
    if (count === 0) return;
    this.#droppedCount += count;
    this.#dropReason = reason;
  }

  /** Says how many lines were dropped since it was last said. */
  #warn(): void {
    if (this.#droppedCount === 0) return;
    const { node, log, system } = this.#options;
    this.#warnedAtMs = system.monotonicMs();
    const fields = { node, count: this.#droppedCount, reason: this.#dropReason };
    log.warn("lines of the access log were dropped", fields);
    this.#droppedCount = 0;
  }
}
