import { type JsonObject, type JsonValue, printable } from "../../core/index.ts";
import { hiddenValue } from "./hide-secrets.ts";
import type { Difference } from "./difference.ts";

/** A difference as `topology diff` prints it. */
export interface RenderedDifference {
  /** `+` added, `-` removed, `~` changed, moved or in another order. */
  readonly marker: "+" | "-" | "~";
  /** One line. */
  readonly text: string;
}

/**
 * Renders a difference.
 *
 * @param difference The difference.
 * @returns For example `~` and `root  strategy: ONE_FOR_ONE -> REST_FOR_ONE`.
 */
export function renderDifference(difference: Difference): RenderedDifference {
  const { change, subject } = difference;
  const marker = change === "added" ? "+" : change === "removed" ? "-" : "~";
  const text = [subject, detailOf(difference)].filter((part) => part !== "").join("  ");
  return { marker, text: printable(text, lineLengthMax) };
}

const lineLengthMax = 2000;
const valueLengthMax = 200;

function detailOf({ change, section, field, from = null, to = null }: Difference): string {
  switch (change) {
    case "moved":
      return `moved: ${placeOf(from)} -> ${placeOf(to)}`;
    case "reordered":
      return `order${field === "" ? "" : ` of ${field}`}: ${namesOf(from)} -> ${namesOf(to)}`;
    case "changed":
      return `${field}: ${changeOf(from, to)}`;
    default: {
      const value = change === "added" ? to : from;
      if (field !== "") return `${field}: ${cut(showValue(value))}`;
      return section === "supervision" ? nodeLabel(value) : showPlugin(value);
    }
  }
}

function placeOf(parent: JsonValue): string {
  return typeof parent === "string" ? parent : "top of the tree";
}

function namesOf(names: JsonValue): string {
  return Array.isArray(names) ? names.map(showValue).join(", ") : "";
}

function nodeLabel(node: JsonValue): string {
  if (!isObject(node)) return "";
  const { kind = null, type = kind, strategy, parent } = node;
  const label = [type, ...(strategy === undefined ? [] : [strategy])].map(showValue).join(" ");
  return typeof parent === "string" ? `${label}  (in ${parent})` : label;
}

function showPlugin(plugin: JsonValue): string {
  if (!isObject(plugin)) return "";
  const { type = null, config = null } = plugin;
  const isBare = !isObject(config) || Object.keys(config).length === 0;
  return isBare ? showValue(type) : `${showValue(type)} ${cut(showValue(config))}`;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Long values that begin alike are shown from where they part, so that both sides do not look the same. */
function changeOf(from: JsonValue, to: JsonValue): string {
  const [old, now] = [showValue(from), showValue(to)];
  if (old.length <= valueLengthMax && now.length <= valueLengthMax) return `${old} -> ${now}`;
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  start = Math.max(0, start - 20);
  const lead = start === 0 ? "" : "…";
  return `${lead}${cut(old.slice(start))} -> ${lead}${cut(now.slice(start))}`;
}

function cut(text: string): string {
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text;
}

/** As YAML would have it on one line; a string that could be read as something else is in quotes. */
function showValue(value: JsonValue): string {
  if (typeof value === "string") {
    if (value === hiddenValue) return value;
    const isBare =
      /^[\p{L}\p{N}_./@$][\p{L}\p{N}_./@$:#+-]*$/u.test(value) &&
      !/^(?:true|false|null|\.nan|\.inf)$/i.test(value) &&
      Number.isNaN(Number(value));
    return isBare ? value : JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(showValue).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, item]) => `${showValue(key)}: ${showValue(item)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
