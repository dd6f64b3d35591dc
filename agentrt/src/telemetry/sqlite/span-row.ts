import { IdSequence } from "../../core/index.ts";
import {
  detailLength,
  field,
  form,
  messageName,
  rowLength,
  type SpanBlock,
  spanKinds,
  valueTag,
} from "../span-block.ts";
import type { SpanRecord } from "../span-record.ts";
import { idsOf, putId, spanIdLength, traceIdLength } from "./span-ids.ts";
import { isCommonAttribute, type SpanShape, SpanShapes } from "./span-shape.ts";

/** A span as a file has it. Times are seconds since the Unix epoch. */
export class SpanRow {
  readonly shape: SpanShape;
  /** See `idsOf`. */
  readonly ids: Uint8Array | string;
  /** The last 4 bytes of the trace, by which a block of rows knows it; 0 for a trace id that is not of 32 digits. */
  readonly traceWord: number;
  readonly startTime: number;
  readonly endTime: number;
  /** What is not common: the inside of a JSON object, null for nothing; 16 bytes for `agentrt.message_id`. */
  attributes: string | Uint8Array | null = null;
  errorMessage: string | null = null;
  tokensIn: number | null = null;
  tokensOut: number | null = null;
  costUsd: number | null = null;

  /**
   * @param shape What it has in common with others.
   * @param ids See `idsOf`.
   * @param traceWord See the field.
   * @param times Seconds: when it began and ended.
   */
  // oxlint-disable-next-line max-params -- made for each span: no object for its parameters
  constructor(
    shape: SpanShape,
    ids: Uint8Array | string,
    traceWord: number,
    times: { readonly startMs: number; readonly endMs: number },
  ) {
    this.shape = shape;
    this.ids = ids;
    this.traceWord = traceWord;
    this.startTime = times.startMs / 1000;
    this.endTime = times.endMs / 1000;
  }

  /** False where the columns after `attributes` have something. */
  get isPlain(): boolean {
    return (
      this.errorMessage === null &&
      this.tokensIn === null &&
      this.tokensOut === null &&
      this.costUsd === null
    );
  }
}

const kindOfForm = ["internal", "producer", "internal", "internal", "consumer"] as const;
/** Room for the ids of a row: trace, span, parent and message. */
const idsLength = traceIdLength + 2 * spanIdLength + 16;
const messageIdAt = traceIdLength + 2 * spanIdLength;
const wordAt = traceIdLength - 4;
const timeoutCode = "AGENTRT_AGENT_HANDLE_TIMEOUT";

/** Makes rows of blocks. */
export class RowMaker {
  readonly #ids: IdSequence;
  readonly #shapes = new SpanShapes();

  /** @param words Of the process that packs the blocks. */
  constructor(words: Uint32Array) {
    this.#ids = new IdSequence(words);
  }

  /** @returns A row for each span of a block, in their order. */
  rowsOf(block: SpanBlock): SpanRow[] {
    return new BlockRows(block, this.#ids, this.#shapes).rows();
  }
}

class BlockRows {
  readonly #block: SpanBlock;
  readonly #ids: IdSequence;
  readonly #shapes: SpanShapes;
  /** By two numbers: what is handled, and who has to do with it. */
  readonly #messageShapes = new Map<number, Map<number, SpanShape>>();
  /** JSON of texts, by their place. */
  readonly #json: string[] = [];
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(block: SpanBlock, ids: IdSequence, shapes: SpanShapes) {
    this.#block = block;
    this.#ids = ids;
    this.#shapes = shapes;
    this.#bytes = new Uint8Array(block.length * idsLength);
    this.#view = new DataView(this.#bytes.buffer);
  }

  rows(): SpanRow[] {
    const made: SpanRow[] = [];
    for (let index = 0; index < this.#block.length; index += 1) made.push(this.#row(index));
    return made;
  }

  #row(index: number): SpanRow {
    const { rows, texts } = this.#block;
    const at = index * rowLength;
    const formOf = rows[at + field.form] as number;
    const found = formOf === form.other ? this.#attributesAt(at) : undefined;
    const shape = found === undefined ? this.#knownShape(at, formOf) : this.#otherShape(at, found);
    const ids = this.#idsAt(at, index);
    const word = typeof ids === "string" ? 0 : this.#view.getUint32(index * idsLength + wordAt);
    const row = new SpanRow(shape, ids, word, {
      startMs: rows[at + field.startMs] as number,
      endMs: rows[at + field.endMs] as number,
    });
    const reason = rows[at + field.reason] as number;
    if (reason !== 0) row.errorMessage = texts[reason - 1] ?? "";
    if (found === undefined)
      row.attributes = this.#ownOfMessage(at, formOf, index * idsLength + messageIdAt);
    else {
      row.attributes = found.own || null;
      row.tokensIn = found.tokensIn;
      row.tokensOut = found.tokensOut;
      row.costUsd = found.costUsd;
    }
    return row;
  }

  #idsAt(at: number, index: number): Uint8Array | string {
    const { rows } = this.#block;
    const trace = rows[at + field.trace] as number;
    const span = rows[at + field.span] as number;
    const parent = rows[at + field.parent] as number;
    const view = this.#view;
    const begin = index * idsLength;
    let isRegular = true;
    if (trace > 0) this.#ids.putTraceId(trace, view, begin);
    else isRegular = putId(this.#idText(trace), view, { at: begin, length: traceIdLength });
    const place = begin + traceIdLength;
    isRegular = this.#putSpanId(span, place) && isRegular;
    if (parent !== 0) isRegular = this.#putSpanId(parent, place + spanIdLength) && isRegular;
    if (!isRegular) return this.#irregularIds(at);
    return this.#bytes.subarray(begin, place + (parent === 0 ? 1 : 2) * spanIdLength);
  }

  #putSpanId(id: number, at: number): boolean {
    if (id <= 0) return putId(this.#idText(id), this.#view, { at, length: spanIdLength });
    this.#ids.putSpanId(id, this.#view, at);
    return true;
  }

  #irregularIds(at: number): Uint8Array | string {
    const { rows } = this.#block;
    const [trace, span, parent] = [field.trace, field.span, field.parent].map(
      (place) => rows[at + place] as number,
    ) as [number, number, number];
    const spanText = (id: number): string => (id > 0 ? this.#ids.spanId(id) : this.#idText(id));
    return idsOf({
      traceId: trace > 0 ? this.#ids.traceId(trace) : this.#idText(trace),
      spanId: spanText(span),
      parentSpanId: parent === 0 ? null : spanText(parent),
    });
  }

  #idText(id: number): string {
    return this.#block.texts[-id - 1] ?? "";
  }

  /** Its texts are few, and so two numbers of their places and the attempt say all of a shape. */
  #knownShape(at: number, formOf: number): SpanShape {
    const { rows, texts } = this.#block;
    const base = texts.length + 1;
    if (base > baseMax) return this.#shapes.of(this.#messageShape(at, formOf));
    const number = (place: number): number => rows[at + place] as number;
    const attempt = Math.min(number(field.attempt), attemptsApart);
    const what = (number(field.name) * base + number(field.type)) * base + number(field.failure);
    const how = what * formCount * (attemptsApart + 1) + formOf * (attemptsApart + 1) + attempt;
    const who = (number(field.sender) * base + number(field.recipient)) * base;
    let known = this.#messageShapes.get(how);
    if (known === undefined) this.#messageShapes.set(how, (known = new Map()));
    const key = who + number(field.agent);
    let shape = attempt === attemptsApart ? undefined : known.get(key);
    if (shape === undefined) {
      shape = this.#shapes.of(this.#messageShape(at, formOf));
      known.set(key, shape);
    }
    return shape;
  }

  #ownOfMessage(at: number, formOf: number, idAt: number): string | Uint8Array | null {
    const { rows } = this.#block;
    if (formOf === form.sent || formOf === form.waited) {
      const sequence = rows[at + (formOf === form.sent ? field.span : field.parent)] as number;
      this.#ids.putMessageId(sequence, rows[at + field.sentAtMs] as number, this.#view, idAt);
      return this.#bytes.subarray(idAt, idAt + 16);
    }
    const reason = rows[at + field.reason] as number;
    return reason === 0 ? null : `"error.message":${this.#jsonOf(reason)}`;
  }

  #messageShape(at: number, formOf: number): SpanShape {
    const { rows, texts } = this.#block;
    const text = (place: number): string => texts[(rows[at + place] as number) - 1] ?? "";
    const json = (place: number): string => JSON.stringify(text(place));
    const failure = rows[at + field.failure] as number;
    const isHandled = formOf === form.handled;
    const isServed = formOf === form.served;
    const parts: string[] = [];
    if (isHandled || isServed) parts.push(`"agentrt.agent.name":${json(field.agent)}`);
    else {
      parts.push(
        `"agentrt.sender":${json(field.sender)}`,
        `"agentrt.recipient":${json(field.recipient)}`,
        `"agentrt.message_type":${json(field.type)}`,
      );
    }
    if (isHandled) {
      parts.push(
        `"agentrt.message.type":${json(field.type)}`,
        `"agentrt.handle.attempt":${rows[at + field.attempt]}`,
        `"agentrt.handle.result":${failure === 0 ? '"success"' : '"error"'}`,
      );
      if (text(field.failure) === timeoutCode) parts.push('"agentrt.handle.timeout":true');
    }
    if (failure !== 0) parts.push('"error":true', `"error.type":${json(field.failure)}`);
    return {
      name: messageName(formOf, text(field.name), text(field.type)),
      kind: kindOfForm[formOf] ?? "internal",
      status: failure === 0 ? "ok" : "error",
      agentName: text(isHandled || isServed ? field.agent : field.sender) || null,
      model: null,
      attributes: parts.join(","),
    };
  }

  #attributesAt(at: number): Attributes {
    const { rows, texts, details } = this.#block;
    const found = new Attributes();
    const begin = rows[at + field.detailsAt] as number;
    const end = begin + (rows[at + field.detailCount] as number) * detailLength;
    for (let place = begin; place < end; place += detailLength) {
      const nameAt = details[place] as number;
      const tag = details[place + 1];
      const value = details[place + 2] as number;
      const name = texts[nameAt - 1] ?? "";
      const json = `${this.#jsonOf(nameAt)}:${this.#valueJson(tag, value)}`;
      if (tag === valueTag.text) found.addText(name, texts[value - 1] ?? "", json);
      else found.addOther(name, value, json);
    }
    const failure = rows[at + field.failure] as number;
    const reason = rows[at + field.reason] as number;
    if (failure > 0) {
      found.addOther("error", 1, '"error":true');
      found.addOther("error.type", 1, `"error.type":${this.#jsonOf(failure)}`);
      found.addOther("error.message", 1, `"error.message":${this.#jsonOf(reason)}`);
    }
    return found;
  }

  #otherShape(at: number, found: Attributes): SpanShape {
    const { rows, texts } = this.#block;
    return this.#shapes.of({
      name: texts[(rows[at + field.name] as number) - 1] ?? "",
      kind: spanKinds[rows[at + field.kind] as number] ?? "internal",
      status: rows[at + field.failure] === 0 ? "ok" : "error",
      agentName: (found.agentName ?? found.sender) || found.child,
      model: found.model,
      attributes: found.common,
    });
  }

  #valueJson(tag: number | undefined, value: number): string {
    if (tag === valueTag.number) return Number.isFinite(value) ? String(value) : "null";
    if (tag === valueTag.boolean) return value === 1 ? "true" : "false";
    return tag === valueTag.text ? this.#jsonOf(value) : (this.#block.texts[value - 1] ?? "[]");
  }

  #jsonOf(place: number): string {
    return (this.#json[place] ??= JSON.stringify(this.#block.texts[place - 1] ?? ""));
  }
}

/** With more texts the numbers of `#knownShape` would not be whole. */
const baseMax = 50_000;
const formCount = 5;
/** Attempts from this one on are not looked up. */
const attemptsApart = 7;

/** The attributes of one span as they are read. */
class Attributes {
  common = "";
  own = "";
  agentName: string | null = null;
  sender: string | null = null;
  child: string | null = null;
  model: string | null = null;
  tokensIn: number | null = null;
  tokensOut: number | null = null;
  costUsd: number | null = null;

  addText(name: string, value: string, json: string): void {
    if (name === "agentrt.agent.name") this.agentName = value;
    else if (name === "agentrt.sender") this.sender = value;
    else if (name === "child") this.child = value;
    else if (name === "agentrt.llm.model") this.model = value;
    this.#add(name, json);
  }

  /** Adds a number, or what no column is made of. */
  addOther(name: string, value: number, json: string): void {
    if (name === "agentrt.llm.tokens_in") this.tokensIn = value;
    else if (name === "agentrt.llm.tokens_out") this.tokensOut = value;
    else if (name === "agentrt.llm.cost_usd") this.costUsd = value;
    this.#add(name, json);
  }

  #add(name: string, json: string): void {
    if (isCommonAttribute(name)) this.common += this.common === "" ? json : `,${json}`;
    else this.own += this.own === "" ? json : `,${json}`;
  }
}

/** @returns The span of a row of the view `spans`. */
export function recordOfRow(row: { readonly [column: string]: unknown }): SpanRecord {
  const optional = (column: string): string | null =>
    typeof row[column] === "string" ? row[column] : null;
  const text = (column: string): string => optional(column) ?? "";
  return {
    name: text("name"),
    kind: text("kind") as SpanRecord["kind"],
    traceId: text("trace_id"),
    spanId: text("span_id"),
    parentSpanId: optional("parent_span_id"),
    startMs: Number(row["start_time"]) * 1000,
    endMs: Number(row["end_time"]) * 1000,
    attributes: JSON.parse(text("attributes_json")) as SpanRecord["attributes"],
    status: row["status"] === "error" ? "error" : "ok",
    errorMessage: optional("error_message"),
  };
}
