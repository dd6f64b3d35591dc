import { IdSequence } from "../../core/index.ts";
import {
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
export interface SpanRow {
  readonly shape: SpanShape;
  /** See `idsOf`. */
  readonly ids: Uint8Array | string;
  readonly startTime: number;
  readonly endTime: number;
  /** What is not common, as the inside of a JSON object; null for nothing. */
  readonly attributes: string | null;
  readonly errorMessage: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costUsd: number | null;
}

const kindOfForm = ["internal", "producer", "internal", "internal", "consumer"] as const;
const timeoutCode = "AGENTRT_AGENT_HANDLE_TIMEOUT";

/** What a span's attributes come to. */
interface Described {
  readonly shape: SpanShape;
  readonly attributes: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costUsd: number | null;
}

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
  readonly #messageShapes = new Map<string, SpanShape>();
  /** JSON of texts, by their place. */
  readonly #json: string[] = [];
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(block: SpanBlock, ids: IdSequence, shapes: SpanShapes) {
    this.#block = block;
    this.#ids = ids;
    this.#shapes = shapes;
    this.#bytes = new Uint8Array(block.length * (traceIdLength + 2 * spanIdLength));
    this.#view = new DataView(this.#bytes.buffer);
  }

  rows(): SpanRow[] {
    return Array.from({ length: this.#block.length }, (_, index) => this.#row(index));
  }

  #row(index: number): SpanRow {
    const { rows, texts } = this.#block;
    const at = index * rowLength;
    const isOther = rows[at + field.form] === form.other;
    const described = isOther ? this.#describeOther(at) : this.#describeMessage(at);
    const reason = rows[at + field.reason] as number;
    return {
      shape: described.shape,
      ids: this.#idsAt(at, index),
      startTime: (rows[at + field.startMs] as number) / 1000,
      endTime: (rows[at + field.endMs] as number) / 1000,
      attributes: described.attributes,
      errorMessage: reason === 0 ? null : (texts[reason - 1] ?? ""),
      tokensIn: described.tokensIn,
      tokensOut: described.tokensOut,
      costUsd: described.costUsd,
    };
  }

  #idsAt(at: number, index: number): Uint8Array | string {
    const { rows } = this.#block;
    const trace = rows[at + field.trace] as number;
    const span = rows[at + field.span] as number;
    const parent = rows[at + field.parent] as number;
    const view = this.#view;
    const begin = index * (traceIdLength + 2 * spanIdLength);
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

  #describeMessage(at: number): Described {
    const { rows } = this.#block;
    const formOf = rows[at + field.form] as number;
    const failure = rows[at + field.failure] as number;
    const key = `${formOf} ${rows[at + field.name]} ${rows[at + field.type]} ${rows[at + field.sender]} ${rows[at + field.recipient]} ${rows[at + field.agent]} ${rows[at + field.attempt]} ${failure}`;
    let shape = this.#messageShapes.get(key);
    if (shape === undefined) {
      shape = this.#shapes.of(this.#messageShape(at, formOf));
      this.#messageShapes.set(key, shape);
    }
    const reason = rows[at + field.reason] as number;
    const error = failure === 0 ? null : `"error.message":${this.#jsonOf(reason)}`;
    return { shape, attributes: this.#messageId(at, formOf) ?? error, ...noUsage };
  }

  #messageId(at: number, formOf: number): string | null {
    if (formOf !== form.sent && formOf !== form.waited) return null;
    const { rows } = this.#block;
    const sequence = rows[at + (formOf === form.sent ? field.span : field.parent)] as number;
    const id = this.#ids.messageId(sequence, rows[at + field.sentAtMs] as number);
    return `"agentrt.message_id":"${id}"`;
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

  #describeOther(at: number): Described {
    const { rows, texts, details } = this.#block;
    const found = new Attributes();
    const begin = rows[at + field.detailsAt] as number;
    const end = begin + (rows[at + field.detailCount] as number) * 3;
    for (let place = begin; place < end; place += 3) {
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
    const shape = this.#shapes.of({
      name: texts[(rows[at + field.name] as number) - 1] ?? "",
      kind: spanKinds[rows[at + field.kind] as number] ?? "internal",
      status: failure === 0 ? "ok" : "error",
      agentName: (found.agentName ?? found.sender) || found.child,
      model: found.model,
      attributes: found.common,
    });
    const { tokensIn, tokensOut, costUsd } = found;
    return { shape, attributes: found.own || null, tokensIn, tokensOut, costUsd };
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

const noUsage = { tokensIn: null, tokensOut: null, costUsd: null };

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
