import type { Redactor, SpanAttributes } from "../core/index.ts";
import type { SpanRecord } from "./span-record.ts";

/**
 * Takes secrets out of the texts of a span.
 *
 * @param record The span.
 * @param redactor Knows secrets.
 * @returns The span without them; the same object when there are none.
 */
export function withoutSecrets(record: SpanRecord, redactor: Redactor): SpanRecord {
  const name = redactor.text(record.name);
  const { errorMessage } = record;
  const message = errorMessage === null ? null : redactor.text(errorMessage);
  const attributes = cleanAttributes(record.attributes, redactor);
  if (name === record.name && message === errorMessage && attributes === record.attributes)
    return record;
  return { ...record, name, attributes, errorMessage: message };
}

function cleanAttributes(attributes: SpanAttributes, redactor: Redactor): SpanAttributes {
  let cleaned: { [name: string]: SpanAttributes[string] } | undefined;
  for (const name in attributes) {
    const value = attributes[name] as SpanAttributes[string];
    const clean =
      typeof value === "string"
        ? redactor.text(value)
        : typeof value === "object"
          ? value.map((each) => redactor.text(each))
          : value;
    if (clean === value) continue;
    cleaned ??= { ...attributes };
    cleaned[name] = clean;
  }
  return cleaned ?? attributes;
}
