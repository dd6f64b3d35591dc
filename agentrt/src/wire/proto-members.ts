/**
 * MessagePack readers refuse members named `__proto__`, which are ordinary members of JSON. They travel as `~__proto__`, and names
 * that look like that get one `~` more, so that each name comes back as it was.
 */
const plainPattern = /^~*__proto__$/;
const escapedPattern = /^~+__proto__$/;

/** Renames such members for a MessagePack writer; a value without any is returned as it is. */
export function escapeProtoMembers(value: unknown): unknown {
  return renamed(value, (name) => (plainPattern.test(name) ? `~${name}` : name));
}

/** The other way, for what a MessagePack reader gave. */
export function unescapeProtoMembers(value: unknown): unknown {
  return renamed(value, (name) => (escapedPattern.test(name) ? name.slice(1) : name));
}

/** True when bytes may hold such a member; nearly never, and found at the speed of memory. */
export function mayHoldProtoMember(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("__proto__");
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  const copy: { [name: string]: unknown } = {};
  for (const [name, member] of Object.entries(value))
    Object.defineProperty(copy, rename(name), {
      value: renamed(member, rename),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return copy;
}
