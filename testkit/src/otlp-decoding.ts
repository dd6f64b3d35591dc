import assert from "node:assert/strict";

/** A value of an attribute. */
export type OtlpValue = string | number | boolean | readonly OtlpValue[];

/** A span as the protocol has it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** The protocol's number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: { readonly [name: string]: OtlpValue };
  readonly statusCode: number;
  readonly statusMessage: string;
}

interface Decoded {
  readonly spans: ReceivedSpan[];
  readonly resource: { readonly [name: string]: OtlpValue };
}

/** Numbers and kinds of fields of `opentelemetry/proto/{common,resource,trace,collector}/v1`, as they are published. */
const messages = {
  request: { 1: ["resourceSpans", "many", "resourceSpans"] },
  resourceSpans: {
    1: ["resource", "one", "resource"],
    2: ["scopeSpans", "many", "scopeSpans"],
    3: ["schemaUrl", "text"],
  },
  resource: { 1: ["attributes", "many", "keyValue"], 2: ["droppedAttributesCount", "varint"] },
  scopeSpans: {
    1: ["scope", "one", "scope"],
    2: ["spans", "many", "span"],
    3: ["schemaUrl", "text"],
  },
  scope: {
    1: ["name", "text"],
    2: ["version", "text"],
    3: ["attributes", "many", "keyValue"],
  },
  span: {
    1: ["traceId", "hex"],
    2: ["spanId", "hex"],
    3: ["traceState", "text"],
    4: ["parentSpanId", "hex"],
    5: ["name", "text"],
    6: ["kind", "varint"],
    7: ["startTimeUnixNano", "fixed64"],
    8: ["endTimeUnixNano", "fixed64"],
    9: ["attributes", "many", "keyValue"],
    15: ["status", "one", "status"],
    16: ["flags", "fixed32"],
  },
  status: { 2: ["message", "text"], 3: ["code", "varint"] },
  keyValue: { 1: ["key", "text"], 2: ["value", "one", "anyValue"] },
  anyValue: {
    1: ["stringValue", "text"],
    2: ["boolValue", "bool"],
    3: ["intValue", "int64"],
    4: ["doubleValue", "double"],
    5: ["arrayValue", "one", "arrayValue"],
  },
  arrayValue: { 1: ["values", "many", "anyValue"] },
} as const satisfies {
  readonly [message: string]: { readonly [field: number]: readonly string[] };
};

type MessageName = keyof typeof messages;
interface Plain {
  [name: string]: unknown;
}

/**
 * Decodes a request of OTLP for traces. Fields that the protocol does not have, and values of other forms, are refused.
 *
 * @param bytes The body, unpacked.
 * @param contentType `application/json` or `application/x-protobuf`.
 * @returns The spans, and the attributes of the program that sent them.
 */
export function decodeOtlpTraces(bytes: Uint8Array, contentType: string): Decoded {
  let plain: Plain;
  if (contentType === "application/json") {
    plain = JSON.parse(Buffer.from(bytes).toString("utf8")) as Plain;
    checkNames("request", plain);
  } else {
    assert.equal(contentType, "application/x-protobuf");
    plain = readMessage("request", bytes);
  }
  const found = listOf(plain["resourceSpans"]);
  assert.equal(found.length, 1);
  const [first = {}] = found;
  const resource = attributesOf((first["resource"] ?? {}) as Plain);
  const spans = listOf(first["scopeSpans"]).flatMap((each) => listOf(each["spans"]).map(spanOf));
  return { spans, resource };
}

function checkNames(message: MessageName, plain: Plain): void {
  const fields: { readonly [field: number]: readonly string[] } = messages[message];
  for (const [name, value] of Object.entries(plain)) {
    const field = Object.values(fields).find((each) => each[0] === name);
    assert.ok(field, `${message} has no field ${name}`);
    const [, form, inner] = field;
    if (form === "one") checkNames(inner as MessageName, value as Plain);
    else if (form === "many")
      for (const each of listOf(value)) checkNames(inner as MessageName, each);
    else if (form === "int64" || form === "fixed64") assert.match(String(value), /^-?\d+$/);
    else if (form === "hex") assert.match(String(value), /^(?:[0-9a-f]{2})+$/);
  }
}

function listOf(value: unknown): Plain[] {
  assert.ok(value === undefined || Array.isArray(value), "a list");
  return (value ?? []) as Plain[];
}

function attributesOf(holder: Plain): { [name: string]: OtlpValue } {
  return Object.fromEntries(
    listOf(holder["attributes"]).map((pair) => [
      String(pair["key"]),
      valueOf((pair["value"] ?? {}) as Plain),
    ]),
  );
}

function valueOf(value: Plain): OtlpValue {
  const names = Object.keys(value);
  assert.equal(names.length, 1, `one form of value, not ${names.join(", ")}`);
  const [name = ""] = names;
  if (name === "arrayValue") return listOf((value[name] as Plain)["values"]).map(valueOf);
  return name === "intValue" ? Number(value[name]) : (value[name] as OtlpValue);
}

function spanOf(plain: Plain): ReceivedSpan {
  const status = (plain["status"] ?? {}) as Plain;
  const span = {
    traceId: String(plain["traceId"]),
    spanId: String(plain["spanId"]),
    parentSpanId: plain["parentSpanId"] as string | undefined,
    name: String(plain["name"]),
    kind: Number(plain["kind"]),
    startNs: BigInt(String(plain["startTimeUnixNano"])),
    endNs: BigInt(String(plain["endTimeUnixNano"])),
    attributes: attributesOf(plain),
    statusCode: Number(status["code"] ?? 0),
    statusMessage: (status["message"] ?? "") as string,
  };
  assert.match(span.traceId, /^(?!0{32})[0-9a-f]{32}$/);
  assert.match(span.spanId, /^(?!0{16})[0-9a-f]{16}$/);
  if (span.parentSpanId !== undefined) assert.match(span.parentSpanId, /^(?!0{16})[0-9a-f]{16}$/);
  assert.ok(span.kind >= 1 && span.kind <= 5, `kind ${span.kind}`);
  assert.ok(span.endNs >= span.startNs, `${span.name} ends before it begins`);
  return span;
}

/** Reads a message of protobuf; its fields get the names that they have in JSON. */
function readMessage(message: MessageName, bytes: Uint8Array): Plain {
  const fields: { readonly [field: number]: readonly string[] } = messages[message];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const plain: Plain = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const piece = (): Uint8Array => {
    const length = Number(varint());
    assert.ok(at + length <= bytes.length, `${message} is cut`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const [name = "", form, inner] = fields[tag >> 3] ?? [];
    assert.ok(form !== undefined, `${message} has no field ${tag >> 3}`);
    const wireType = tag & 7;
    assert.equal(wireType, wireTypes[form], `${message}.${name}`);
    if (form === "many")
      plain[name] = [...listOf(plain[name]), readMessage(inner as MessageName, piece())];
    else if (form === "one") plain[name] = readMessage(inner as MessageName, piece());
    else if (form === "text")
      plain[name] = new TextDecoder("utf8", { fatal: true }).decode(piece());
    else if (form === "hex") plain[name] = Buffer.from(piece()).toString("hex");
    else if (form === "bool") plain[name] = varint() === 1n;
    else if (form === "int64") plain[name] = String(BigInt.asIntN(64, varint()));
    else if (form === "varint") plain[name] = Number(varint());
    else if (form === "fixed32") plain[name] = view.getUint32((at += 4) - 4, true);
    else if (form === "fixed64") plain[name] = String(view.getBigUint64((at += 8) - 8, true));
    else plain[name] = view.getFloat64((at += 8) - 8, true);
  }
  return plain;
}

const wireTypes: { readonly [form: string]: number } = {
  many: 2,
  one: 2,
  text: 2,
  hex: 2,
  bool: 0,
  int64: 0,
  varint: 0,
  fixed32: 5,
  fixed64: 1,
  double: 1,
};
