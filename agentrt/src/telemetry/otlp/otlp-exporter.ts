import { gzip } from "node:zlib";
import { type Log, reasonOf, type System } from "../../core/index.ts";
import { telemetryErrors } from "../errors.ts";
import type { ExporterHost, ExportOptions, SpanExporter } from "../span-exporter.ts";
import type { SpanRecord } from "../span-record.ts";
import { encodeJson } from "./encode-json.ts";
import { encodeProtobuf } from "./encode-protobuf.ts";
import type { OtlpSettings } from "./otlp-settings.ts";
import { pauseAfter, retryForMs } from "./retry.ts";

/** Sends spans to a collector over HTTP. What the collector cannot take now, it gets again, later and later. */
export class OtlpExporter implements SpanExporter {
  readonly name = "otlp";
  readonly batchLengthMax = 512;
  readonly #settings: OtlpSettings;
  #host: ExporterHost | undefined;
  #hasToldOfRejected = false;

  /** @param settings Where and how. */
  constructor(settings: OtlpSettings) {
    this.#settings = settings;
  }

  /** {@inheritDoc SpanExporter.open} */
  open(host: ExporterHost): void {
    this.#host = host;
  }

  /**
   * {@inheritDoc SpanExporter.export}
   *
   * @throws AGENTRT_TELEMETRY_EXPORT_FAILED when the collector refuses the batch, or could not take it for a minute.
   */
  async export(records: readonly SpanRecord[], { signal }: ExportOptions): Promise<void> {
    const host = this.#host;
    if (host === undefined) throw this.#failed("it was not opened");
    const body = await this.#bodyOf(records);
    const { system } = host;
    const giveUpAtMs = system.monotonicMs() + retryForMs;
    for (let attemptCount = 1; ; attemptCount += 1) {
      const outcome = await this.#send(body, { host, signal });
      if (outcome.isDone) return;
      const delayMs = pauseAfter(outcome, { attemptCount, random: system.random() });
      const isOver = delayMs === undefined || system.monotonicMs() + delayMs > giveUpAtMs;
      if (isOver || signal.aborted) throw this.#failed(outcome.reason);
      await pause(system, delayMs, signal);
      if (signal.aborted) throw this.#failed(`${outcome.reason}; the runtime stops`);
    }
  }

  async #bodyOf(records: readonly SpanRecord[]): Promise<Uint8Array> {
    const { protocol, resource, isCompressed } = this.#settings;
    const encode = protocol === "http/json" ? encodeJson : encodeProtobuf;
    const bytes = encode(records, resource);
    if (!isCompressed) return bytes;
    return await new Promise((resolve, reject) => {
      gzip(bytes, (error, packed) => (error === null ? resolve(packed) : reject(error)));
    });
  }

  async #send(
    body: Uint8Array,
    { host, signal }: { readonly host: ExporterHost; readonly signal: AbortSignal },
  ): Promise<Outcome> {
    const { url, protocol, headers, timeoutMs, isCompressed } = this.#settings;
    const late = new AbortController();
    const timer = host.system.setTimer(timeoutMs, () =>
      late.abort(new Error(`no answer in ${timeoutMs} ms`)),
    );
    try {
      const response = await fetch(url, {
        method: "POST",
        body,
        redirect: "error",
        signal: AbortSignal.any([signal, late.signal]),
        headers: {
          ...headers,
          "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
          ...(isCompressed ? { "content-encoding": "gzip" } : {}),
        },
      });
      const answer = await textOf(response);
      if (response.ok) {
        this.#tellRejected(host.log, answer);
        return { isDone: true, reason: "" };
      }
      const retryAfter = response.headers.get("retry-after") ?? undefined;
      const reason = `status ${response.status}`;
      return { isDone: false, status: response.status, retryAfter, reason };
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      return { isDone: false, reason: reasonOf(late.signal.aborted ? late.signal.reason : cause) };
    } finally {
      host.system.clearTimer(timer);
    }
  }

  /** A collector may take a part of a batch and say so in its answer; only in JSON it can be read as it is. */
  #tellRejected(log: Log, answer: string): void {
    if (this.#hasToldOfRejected || this.#settings.protocol !== "http/json") return;
    const found = /"rejectedSpans"\s*:\s*"?([1-9]\d*)/.exec(answer);
    if (found === null) return;
    this.#hasToldOfRejected = true;
    const count = Number(found[1]);
    log.warn("the collector refused spans of a batch; it is said once", { count });
  }

  #failed(reason: string): Error {
    return new telemetryErrors.EXPORT_FAILED({ url: this.#settings.url, reason });
  }
}

interface Outcome {
  readonly isDone: boolean;
  /** Undefined where no answer came. */
  readonly status?: number;
  readonly retryAfter?: string | undefined;
  readonly reason: string;
}

const answerLengthMax = 10_000;

async function textOf(response: Response): Promise<string> {
  // The whole answer is read, so that the connection serves the next request.
  return (await response.text()).slice(0, answerLengthMax);
}

function pause(system: System, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      system.clearTimer(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = system.setTimer(delayMs, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
