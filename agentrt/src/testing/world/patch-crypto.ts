import nodeCrypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { CurrentWorld, WorldView } from "./world-view.ts";

type Draw = (...parameters: unknown[]) => unknown;
type Draws = { [name: string]: Draw };

const intMax = 2 ** 48 - 1;

/**
 * Replaces what `crypto` draws by chance: random bytes, numbers and UUIDs. What is asked for with a callback is not
 * replaced: that waits for another thread, which a simulation refuses.
 *
 * @param current Finds the world that the running code belongs to; undefined for the real one.
 */
export function patchCrypto(current: CurrentWorld): void {
  patchWebCrypto(current);
  const module = nodeCrypto as unknown as Draws;
  patch(module, "randomBytes", current, (world, [size]) => {
    const bytes = Buffer.alloc(Number(size));
    world.drawInto(bytes);
    return bytes;
  });
  patch(module, "randomFillSync", current, (world, [target, offset, size]) =>
    filled(world, target, [offset, size]),
  );
  patch(module, "randomInt", current, (world, given) => {
    const [low, high] =
      given.length > 1 ? [Number(given[0]), Number(given[1])] : [0, Number(given[0])];
    return low + Math.floor(world.random() * Math.min(high - low, intMax));
  });
  patch(module, "randomUUID", current, uuidOf);
  // Its `getRandomValues` asks the one of `globalThis.crypto`.
  syncBuiltinESMExports();
}

function patchWebCrypto(current: CurrentWorld): void {
  const web = globalThis.crypto as unknown as Draws;
  patch(web, "randomUUID", current, uuidOf);
  patch(web, "getRandomValues", current, (world, [target]) => filled(world, target));
}

// oxlint-disable-next-line max-params -- what is patched, where, for whom, by what
function patch(
  target: Draws,
  name: string,
  current: CurrentWorld,
  draw: (world: WorldView, parameters: unknown[]) => unknown,
): void {
  const real = (target[name] as Draw).bind(target);
  const value = (...parameters: unknown[]): unknown => {
    const world = current();
    const hasCallback = typeof parameters.at(-1) === "function";
    return world === undefined || hasCallback ? real(...parameters) : draw(world, parameters);
  };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    writable: true,
    value,
  });
}

function filled(
  world: WorldView,
  target: unknown,
  [offset = 0, size]: readonly unknown[] = [],
): unknown {
  const view = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : new Uint8Array(target as ArrayBuffer);
  // Counted in elements, as by `randomFillSync`.
  const { BYTES_PER_ELEMENT: unit = 1 } = target as Partial<Uint8Array>;
  const from = Number(offset) * unit;
  world.drawInto(view.subarray(from, size === undefined ? undefined : from + Number(size) * unit));
  return target;
}

/** A UUID of version 4 (RFC 9562 section 5.4). */
function uuidOf(world: WorldView): string {
  const bytes = new Uint8Array(16);
  world.drawInto(bytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = Buffer.from(bytes).toString("hex");
  return [8, 12, 16, 20]
    .map((to, index) => text.slice(index === 0 ? 0 : 4 + index * 4, to))
    .concat(text.slice(20))
    .join("-");
}
