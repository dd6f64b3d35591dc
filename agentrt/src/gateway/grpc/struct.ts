import type { JsonObject, JsonValue } from "../../core/index.ts";
import { readFields, readNested, readText, WireFault } from "./wire-reader.ts";
import type { WireWriter } from "./wire-writer.ts";

/** Deepest nesting of structs and lists, as in the libraries of protocol buffers. */
const depthMax = 100;

/**
 * Reads a `google.protobuf.Struct`.
 *
 * @param bytes The message.
 * @param depth How deep it is nested; default 1.
 * @returns The object; every name is an own member, `__proto__` included.
 * @throws WireFault when it is malformed or nests too deep.
 */
export function readStruct(bytes: Buffer, depth = 1): JsonObject {
  if (depth > depthMax) throw new WireFault(`payload nests deeper than ${depthMax} levels`);
  const struct = Object.create(null) as JsonObject;
  for (const field of readFields(bytes)) {
    if (field.number !== 1) continue;
    let name = "";
    let value: JsonValue = null;
    for (const part of readFields(readNested(field))) {
      if (part.number === 1) name = readText(part);
      else if (part.number === 2) value = readValue(readNested(part), depth);
    }
    struct[name] = value;
  }
  return struct;
}

function readValue(bytes: Buffer, depth: number): JsonValue {
  let value: JsonValue = null;
  for (const field of readFields(bytes)) {
    switch (field.number) {
      case 1:
        value = null;
        break;
      case 2:
        if (field.wireType !== 1) throw new WireFault("field holds no number");
        value = field.bytes.readDoubleLE(0);
        break;
      case 3:
        value = readText(field);
        break;
      case 4:
        value = field.value !== 0;
        break;
      case 5:
        value = readStruct(readNested(field), depth + 1);
        break;
      case 6:
        value = readList(readNested(field), depth + 1);
        break;
      default: // Of a later version: no value of ours.
    }
  }
  return value;
}

function readList(bytes: Buffer, depth: number): JsonValue[] {
  if (depth > depthMax) throw new WireFault(`payload nests deeper than ${depthMax} levels`);
  const list: JsonValue[] = [];
  for (const field of readFields(bytes)) {
    if (field.number === 1) list.push(readValue(readNested(field), depth));
  }
  return list;
}

/** Writes the fields of a `google.protobuf.Struct`. */
export function writeStruct(writer: WireWriter, struct: JsonObject): void {
  for (const name of Object.keys(struct)) {
    writer.nested(1, (entry) =>
      entry.text(1, name).nested(2, (value) => writeValue(value, struct[name] ?? null)),
    );
  }
}

function writeValue(writer: WireWriter, value: JsonValue): void {
  if (value === null) writer.varint(1, 0);
  else if (typeof value === "number") writer.double(2, value);
  else if (typeof value === "string") writer.text(3, value);
  else if (typeof value === "boolean") writer.varint(4, value ? 1 : 0);
  else if (Array.isArray(value)) {
    writer.nested(6, (list) => {
      for (const item of value) list.nested(1, (member) => writeValue(member, item));
    });
  } else writer.nested(5, (struct) => writeStruct(struct, value));
}
