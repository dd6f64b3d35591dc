import { Http3Fault } from "../fault.ts";
import {
  FrameReader,
  type FrameSink,
  frameTypes,
  type PayloadHandling,
  refuseReservedFrame,
} from "./frame-reader.ts";
import { decodeFieldSection, type FieldSectionLimits } from "../qpack/index.ts";
import { type RequestHead, readRequestHead, refuseTrailers } from "./request-head.ts";

/** Takes what comes on a request stream. */
export interface RequestSink {
  /** The headers have come, or are too many or too large to keep. Once. */
  onHead(head: RequestHead | { readonly excess: "size" | "count" }): void;
  /** A piece of the body, never empty. */
  onBody(piece: Uint8Array): void;
  /** A frame that cost work and brought nothing. */
  onWaste(): void;
}

/** A field section may be this much longer than what is served: it is then refused with a status, not with a reset. */
const sectionSizeFactor = 2;

/** The receiving side of a request stream: headers, a body in pieces, perhaps trailers (RFC 9114 §4.1). */
export class RequestReader implements FrameSink {
  readonly #sink: RequestSink;
  readonly #limits: FieldSectionLimits;
  readonly #frames = new FrameReader(this);
  #stage: "head" | "body" | "trailers" | "refused" = "head";
  #bodySizeBytes = 0;
  #declaredSizeBytes: number | undefined;

  /**
   * @param sink Takes the request.
   * @param limits Of its headers.
   */
  constructor(sink: RequestSink, limits: FieldSectionLimits) {
    this.#sink = sink;
    this.#limits = limits;
  }

  /**
   * Takes the next bytes.
   *
   * @throws Http3Fault whose scope says what is lost.
   */
  push(chunk: Uint8Array): void {
    this.#frames.push(chunk);
  }

  /**
   * Takes the end of the stream.
   *
   * @throws Http3Fault when the request is not whole.
   */
  end(): void {
    if (this.#stage === "refused") return;
    this.#frames.end();
    if (this.#stage === "head") {
      throw new Http3Fault("REQUEST_INCOMPLETE", "a request without headers", "stream");
    }
    if (this.#declaredSizeBytes !== undefined && this.#declaredSizeBytes !== this.#bodySizeBytes) {
      throw malformed("the body is shorter than content-length");
    }
  }

  /** See `FrameSink`. */
  onFrame(type: number, sizeBytes: number): PayloadHandling {
    refuseReservedFrame(type);
    if (type === frameTypes.HEADERS) return this.#onHeaders(sizeBytes);
    if (type === frameTypes.DATA) return this.#onData(sizeBytes);
    if (controlTypes.has(type)) {
      throw new Http3Fault("FRAME_UNEXPECTED", `frame of type ${type} on a request stream`);
    }
    this.#sink.onWaste(); // A type of an extension: to be ignored.
    return "skip";
  }

  /** See `FrameSink`. */
  onCollected(_type: number, payload: Uint8Array): void {
    const section = decodeFieldSection(payload, this.#limits);
    if (this.#stage === "trailers") {
      if ("lines" in section) refuseTrailers(section.lines);
      return;
    }
    if ("excess" in section) {
      this.#stage = "refused";
      this.#sink.onHead(section);
      return;
    }
    const head = readRequestHead(section.lines);
    this.#stage = "body";
    this.#declaredSizeBytes = head.contentLength;
    this.#sink.onHead(head);
  }

  /** See `FrameSink`. */
  onPiece(piece: Uint8Array): void {
    this.#sink.onBody(piece);
  }

  #onHeaders(sizeBytes: number): PayloadHandling {
    if (this.#stage === "refused") return "skip";
    if (this.#stage === "trailers") {
      throw new Http3Fault("FRAME_UNEXPECTED", "headers behind the trailers");
    }
    if (this.#stage === "body") this.#stage = "trailers";
    if (sizeBytes <= sectionSizeFactor * this.#limits.sizeBytesMax) return "collect";
    if (this.#stage === "head") {
      this.#stage = "refused";
      this.#sink.onHead({ excess: "size" });
    }
    return "skip";
  }

  #onData(sizeBytes: number): PayloadHandling {
    if (this.#stage === "refused") return "skip";
    if (this.#stage !== "body") {
      throw new Http3Fault("FRAME_UNEXPECTED", "data outside of the body");
    }
    if (sizeBytes === 0) this.#sink.onWaste();
    this.#bodySizeBytes += sizeBytes;
    if (this.#declaredSizeBytes !== undefined && this.#bodySizeBytes > this.#declaredSizeBytes) {
      throw malformed("the body is longer than content-length");
    }
    return "pass";
  }
}

const controlTypes: ReadonlySet<number> = new Set([
  frameTypes.CANCEL_PUSH,
  frameTypes.SETTINGS,
  frameTypes.PUSH_PROMISE,
  frameTypes.GOAWAY,
  frameTypes.MAX_PUSH_ID,
]);

function malformed(reason: string): Http3Fault {
  return new Http3Fault("MESSAGE_ERROR", reason, "stream");
}
