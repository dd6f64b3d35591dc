import {
  type IdSequence,
  type Message,
  messageInternals,
  type MessageSpan,
  type SpanAttributes,
  type SpanKind,
} from "../core/index.ts";
import {
  attributeCountMax,
  detailLength,
  field,
  form,
  nameLengthMax,
  rowLength,
  type SpanBlock,
  spanKinds,
  textLengthMax,
  valueTag,
} from "./span-block.ts";
import type { SpanRecord } from "./span-record.ts";

/** How a span ended. */
export interface SpanFailure {
  /** The code of the error, or the name of its class. */
  readonly type: string;
  readonly message: string;
}

/** An id: a number for one of this process, text for one from outside. */
export type LazyId = number | string;

/** Where in a trace a span is. */
export interface SpanPlace {
  readonly name: string;
  readonly kind: SpanKind;
  readonly trace: LazyId;
  readonly span: LazyId;
  readonly parent: LazyId | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

const lengthAtFirst = 64;
/** Texts that are remembered with what is left of them without secrets; none longer than a name. */
const cleanCountMax = 1000;

/** Packs finished spans. Nothing of a message's payload is kept, and no error. */
export class BlockBuilder {
  readonly #clean: (text: string) => string;
  readonly #onAdded: () => void;
  #rows = new Float64Array(lengthAtFirst * rowLength);
  #details = new Float64Array(lengthAtFirst * detailLength);
  #detailsEnd = 0;
  #texts: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #cleaned = new Map<string, string>();
  #length = 0;

  /**
   * @param options.clean Takes secrets out of a text; asked once for each text of a block. Default: none is looked for.
   * @param options.onAdded Runs after each span. Default nothing.
   */
  constructor(
    options: {
      readonly clean?: (text: string) => string;
      readonly onAdded?: () => void;
    } = {},
  ) {
    const { clean = (text) => text, onAdded = () => undefined } = options;
    this.#clean = clean;
    this.#onAdded = onAdded;
  }

  /** Spans that are in it. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds a span of a message.
   *
   * @param message Whose span it is.
   * @param span What it tells.
   * @param failure What failed.
   * @param ids Of this process.
   */
  // oxlint-disable-next-line max-params -- called for each message: no object for its parameters
  addMessage(
    message: Message,
    span: MessageSpan,
    failure: SpanFailure | undefined,
    ids: IdSequence,
  ): void {
    const { step } = span;
    const at = this.#nextRow();
    const rows = this.#rows;
    const sequence = messageInternals.sequenceOf(message);
    const from = messageInternals.sentFrom(message);
    const isSent = step === "sent";
    rows[at + field.form] = form[step];
    rows[at + field.trace] = from === undefined ? sequence : this.#id(from.trace);
    rows[at + field.span] = isSent ? sequence : ids.next();
    rows[at + field.parent] = this.#id(isSent ? from?.span : messageInternals.spanOf(message));
    rows[at + field.startMs] = span.startMs;
    rows[at + field.endMs] = span.endMs;
    rows[at + field.failure] = failure === undefined ? 0 : this.#text(failure.type);
    rows[at + field.reason] = failure === undefined ? 0 : this.#text(failure.message);
    // What is sent and waited for is named by its type.
    rows[at + field.name] = isSent || step === "waited" ? 0 : this.#text(span.name);
    rows[at + field.type] = this.#text(message.type);
    rows[at + field.sender] = this.#text(message.sender);
    rows[at + field.recipient] = this.#text(message.recipient);
    rows[at + field.agent] = span.agent === undefined ? 0 : this.#text(span.agent);
    rows[at + field.sentAtMs] = message.timestampMs;
    rows[at + field.attempt] = message.attempt;
    this.#onAdded();
  }

  /**
   * Adds another span.
   *
   * @param place Where it is.
   * @param attributes At most 128 are taken.
   * @param failure What failed; undefined when nothing did.
   */
  add(place: SpanPlace, attributes: SpanAttributes, failure: SpanFailure | undefined): void {
    const at = this.#addPlace(place);
    this.#rows[at + field.failure] = failure === undefined ? 0 : this.#text(failure.type);
    this.#rows[at + field.reason] = failure === undefined ? 0 : this.#text(failure.message);
    this.#addDetails(at, attributes);
    this.#onAdded();
  }

  /** Adds a span that is a record already. */
  addRecord(record: SpanRecord): void {
    const { traceId: trace, spanId: span, parentSpanId, errorMessage } = record;
    const at = this.#addPlace({ ...record, trace, span, parent: parentSpanId ?? undefined });
    this.#rows[at + field.failure] = record.status === "ok" ? 0 : -1;
    this.#rows[at + field.reason] = errorMessage === null ? 0 : this.#text(errorMessage);
    this.#addDetails(at, record.attributes);
    this.#onAdded();
  }

  /** @returns What is in it, which goes out of it. */
  build(): SpanBlock {
    const length = this.#length;
    const block = {
      length,
      rows: sharedCopy(this.#rows, length * rowLength),
      details: sharedCopy(this.#details, this.#detailsEnd),
      texts: this.#texts,
    };
    this.#length = 0;
    this.#detailsEnd = 0;
    this.#texts = [];
    this.#places.clear();
    return block;
  }

  #addPlace({ name, kind, trace, span, parent, startMs, endMs }: SpanPlace): number {
    const at = this.#nextRow();
    const rows = this.#rows;
    rows[at + field.form] = form.other;
    rows[at + field.trace] = this.#id(trace);
    rows[at + field.span] = this.#id(span);
    rows[at + field.parent] = this.#id(parent);
    rows[at + field.startMs] = startMs;
    rows[at + field.endMs] = endMs;
    rows[at + field.name] = this.#text(
      name.length > nameLengthMax ? name.slice(0, nameLengthMax) : name,
    );
    rows[at + field.kind] = spanKinds.indexOf(kind);
    return at;
  }

  #addDetails(at: number, attributes: SpanAttributes): void {
    let count = 0;
    this.#rows[at + field.detailsAt] = this.#detailsEnd;
    for (const name in attributes) {
      if (count === attributeCountMax) break;
      count += 1;
      const value = attributes[name];
      const place = this.#text(name);
      if (typeof value === "string") this.#addDetail(place, valueTag.text, this.#text(value));
      else if (typeof value === "number") this.#addDetail(place, valueTag.number, value);
      else if (typeof value === "boolean") this.#addDetail(place, valueTag.boolean, value ? 1 : 0);
      else this.#addDetail(place, valueTag.list, this.#list(value ?? []));
    }
    this.#rows[at + field.detailCount] = count;
  }

  #addDetail(name: number, tag: number, value: number): void {
    const at = this.#detailsEnd;
    if (at === this.#details.length) this.#details = doubled(this.#details);
    const details = this.#details;
    details[at] = name;
    details[at + 1] = tag;
    details[at + 2] = value;
    this.#detailsEnd = at + detailLength;
  }

  #list(texts: readonly string[]): number {
    const clean = texts
      .slice(0, attributeCountMax)
      .map((text) => this.#clean(text.slice(0, textLengthMax)));
    this.#texts.push(JSON.stringify(clean));
    return this.#texts.length;
  }

  #id(id: LazyId | undefined): number {
    if (id === undefined) return 0;
    if (typeof id === "number") return id;
    // Ids hold no secrets, and are seldom there twice.
    this.#texts.push(id);
    return -this.#texts.length;
  }

  #text(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#texts.push(this.#cleanOf(text));
    const place = this.#texts.length;
    this.#places.set(text, place);
    return place;
  }

  /** Short texts come again in the next block: no secret is looked for in them twice. */
  #cleanOf(text: string): string {
    const known = this.#cleaned.get(text);
    if (known !== undefined) return known;
    const clean = this.#clean(text.length > textLengthMax ? text.slice(0, textLengthMax) : text);
    if (text.length > nameLengthMax) return clean;
    if (this.#cleaned.size >= cleanCountMax) this.#cleaned.clear();
    this.#cleaned.set(text, clean);
    return clean;
  }

  #nextRow(): number {
    const at = this.#length * rowLength;
    if (at === this.#rows.length) this.#rows = doubled(this.#rows);
    this.#length += 1;
    return at;
  }
}

function doubled(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(numbers.length * 2);
  more.set(numbers);
  return more;
}

/** In memory that a thread gets without another copy. Nobody writes it any more. */
function sharedCopy(numbers: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
  copy.set(numbers.subarray(0, length));
  return copy;
}
