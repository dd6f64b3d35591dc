import { readDer, readOneDer } from "./der.ts";

/** One attribute of a name: `CN=ada`. */
export interface NameAttribute {
  /** A short name of RFC 4514 such as `CN`, or an object identifier such as `2.5.4.5`. */
  readonly type: string;
  readonly value: string;
}

/** A distinguished name: its relative names, as a certificate lists them, each with one attribute or more. */
export type DistinguishedName = readonly (readonly NameAttribute[])[];

const tags = { sequence: 0x30, set: 0x31, identifier: 0x06, version: 0xa0 } as const;

/** The short names of RFC 4514 section 3: what is printed. All other types are printed as identifiers. */
const shortNames: { readonly [identifier: string]: string } = {
  "2.5.4.3": "CN",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.6": "C",
  "2.5.4.9": "STREET",
  "0.9.2342.19200300.100.1.25": "DC",
  "0.9.2342.19200300.100.1.1": "UID",
};

/** What else people write in an allowlist. */
const furtherNames: { readonly [name: string]: string } = {
  EMAILADDRESS: "1.2.840.113549.1.9.1",
  E: "1.2.840.113549.1.9.1",
  SERIALNUMBER: "2.5.4.5",
  SN: "2.5.4.4",
  GN: "2.5.4.42",
  T: "2.5.4.12",
  TITLE: "2.5.4.12",
  S: "2.5.4.8",
};

/**
 * Reads the subject of a certificate.
 *
 * @param certificate As DER, with nothing behind it.
 * @returns The subject, or `undefined` for what cannot be read whole.
 */
export function subjectOf(certificate: Uint8Array): DistinguishedName | undefined {
  const whole = readOneDer(certificate, tags.sequence);
  const signed = readDer(whole ?? new Uint8Array(0))?.[0];
  if (signed?.tag !== tags.sequence) return undefined;
  const fields = readDer(signed.content);
  if (fields === undefined) return undefined;
  // version (where it is not 1), serial number, algorithm, issuer, validity, subject
  const subject = fields[fields[0]?.tag === tags.version ? 5 : 4];
  return subject?.tag === tags.sequence ? readName(subject.content) : undefined;
}

function readName(content: Uint8Array): DistinguishedName | undefined {
  const name: NameAttribute[][] = [];
  for (const relative of readDer(content) ?? []) {
    const attributes = relative.tag === tags.set ? readDer(relative.content) : undefined;
    if (attributes === undefined || attributes.length === 0) return undefined;
    const read: NameAttribute[] = [];
    for (const { tag, content: pair } of attributes) {
      const attribute = tag === tags.sequence ? readAttribute(pair) : undefined;
      if (attribute === undefined) return undefined;
      read.push(attribute);
    }
    name.push(read);
  }
  return name.length === 0 ? undefined : name;
}

function readAttribute(pair: Uint8Array): NameAttribute | undefined {
  const elements = readDer(pair);
  const [type, value] = elements ?? [];
  if (elements?.length !== 2 || type?.tag !== tags.identifier || value === undefined) {
    return undefined;
  }
  const identifier = readIdentifier(type.content);
  const text = readText(value.tag, value.content);
  if (identifier === undefined || text === undefined) return undefined;
  return { type: shortNames[identifier] ?? identifier, value: text };
}

function readIdentifier(content: Uint8Array): string | undefined {
  const numbers: number[] = [];
  let number = 0;
  let isOpen = false;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (number > Number.MAX_SAFE_INTEGER / 128) return undefined;
    isOpen = byte >= 0x80;
    if (isOpen) continue;
    numbers.push(number);
    number = 0;
  }
  const [first] = numbers;
  if (isOpen || first === undefined) return undefined;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...numbers.slice(1)].join(".");
}

/** The text of a string of any of the kinds that are in names; `undefined` for what is malformed. */
function readText(tag: number, content: Uint8Array): string | undefined {
  const encoding = encodings[tag];
  if (encoding === undefined) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined; // Bytes that are no text of that kind.
  }
}

const encodings: { readonly [tag: number]: string } = {
  0x0c: "utf-8",
  0x12: "utf-8", // Numeric, printable and IA5 strings are ASCII, which UTF-8 contains.
  0x13: "utf-8",
  0x16: "utf-8",
  0x14: "windows-1252",
  0x1e: "utf-16be",
};

/**
 * Writes a name as RFC 4514 does: the last relative name first, `,` between them, `+` between the attributes of one.
 *
 * @param name As `subjectOf` gives it.
 * @returns For example `CN=ada,O=Acme\, Inc.`.
 */
export function formatName(name: DistinguishedName): string {
  return name
    .map((attributes) =>
      attributes.map(({ type, value }) => `${type}=${escapeValue(value)}`).join("+"),
    )
    .reverse()
    .join(",");
}

function escapeValue(value: string): string {
  const characters = Array.from(value);
  const escaped = characters.map((character, index) => {
    if ('"+,;<>\\'.includes(character)) return `\\${character}`;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f)
      return `\\${code.toString(16).toUpperCase().padStart(2, "0")}`;
    const isEdge = index === 0 || index === characters.length - 1;
    if ((character === " " && isEdge) || (character === "#" && index === 0)) {
      return `\\${character}`;
    }
    return character;
  });
  return escaped.join("");
}

/**
 * Reads a name as RFC 4514 writes it. Names of types may be upper or lower case, and identifiers.
 *
 * @param text For example `CN=ada,O=Acme`.
 * @returns The name in the order of a certificate, or `undefined` for text that is not a name.
 */
export function parseName(text: string): DistinguishedName | undefined {
  const name: NameAttribute[][] = [[]];
  let rest = text;
  for (;;) {
    const match = attributePattern.exec(rest);
    const { type = "", value = "" } = match?.groups ?? {};
    const separator = match?.groups?.["separator"];
    const read = match === null ? undefined : unescapeValue(value);
    const known = typeOf(type);
    if (match === null || read === undefined || known === undefined) return undefined;
    name.at(-1)?.push({ type: known, value: read });
    rest = rest.slice(match[0].length);
    if (separator === undefined || separator === "") return name.reverse();
    if (separator === ",") name.push([]);
  }
}

const attributePattern =
  /^ *(?<type>[A-Za-z][\w-]*|\d+(?:\.\d+)+) *= *(?<value>(?:[^"+,;<>\\]|\\.)*)(?<separator>[,+]|$)/su;

function typeOf(written: string): string | undefined {
  if (/^\d/.test(written)) return shortNames[written] ?? written;
  const upper = written.toUpperCase();
  if (Object.values(shortNames).includes(upper)) return upper;
  const identifier = Object.hasOwn(furtherNames, upper) ? furtherNames[upper] : undefined;
  return identifier === undefined ? undefined : (shortNames[identifier] ?? identifier);
}

/** Takes the escapes out; spaces at the end that are not escaped belong to nothing. */
function unescapeValue(written: string): string | undefined {
  const tokens = Array.from(
    written.matchAll(/\\[0-9A-Fa-f]{2}|\\[ "#+,;<=>\\]|[^\\]|\\/gsu),
    ([token]) => token,
  );
  while (tokens.at(-1) === " ") tokens.pop();
  if (tokens.includes("\\")) return undefined;
  const bytes = tokens.map((token) =>
    /^\\[0-9A-Fa-f]{2}$/.test(token)
      ? Buffer.from(token.slice(1), "hex")
      : Buffer.from(token.replace(/^\\/, "")),
  );
  return readText(0x0c, Buffer.concat(bytes));
}

/**
 * Writes a name so that equal names have equal text: attributes of one relative name in one order.
 *
 * @param name From a certificate or from text.
 */
export function canonicalName(name: DistinguishedName): string {
  return JSON.stringify(
    name.map((attributes) => attributes.map(({ type, value }) => `${type}=${value}`).sort()),
  );
}
