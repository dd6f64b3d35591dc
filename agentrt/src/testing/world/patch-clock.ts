import process from "node:process";
import type { CurrentWorld, WorldView } from "./world-view.ts";

/**
 * Replaces the clocks of the process.
 *
 * @param current Finds the world that the running code belongs to; undefined for the real one.
 */
export function patchClock(current: CurrentWorld): void {
  patchDate(current);
  patchPerformance(current);
  patchProcess(current);
}

/** Dates that were made by the real constructor stay what they are: both share one prototype. */
function patchDate(current: CurrentWorld): void {
  const RealDate = Date;
  const { now } = RealDate;
  RealDate.now = () => current()?.nowMs() ?? now();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget): object => {
      const world = given.length === 0 ? current() : undefined;
      const parameters: unknown[] = world === undefined ? given : [world.nowMs()];
      return Reflect.construct(target, parameters, newTarget) as object;
    },
    apply: (target) => {
      const world = current();
      return world === undefined ? target() : new target(world.nowMs()).toString();
    },
  });
}

function patchPerformance(current: CurrentWorld): void {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  const { timeOrigin } = performance;
  replace(performance, "now", { value: () => current()?.monotonicMs() ?? now() });
  replace(performance, "timeOrigin", {
    get: () => {
      const world = current();
      return world === undefined ? timeOrigin : world.nowMs() - world.monotonicMs();
    },
  });
}

function patchProcess(current: CurrentWorld): void {
  const { hrtime } = process;
  const uptime = process.uptime.bind(process);
  const nanoseconds = (world: WorldView): bigint => BigInt(Math.round(world.monotonicMs() * 1e6));
  const patched = (since?: [number, number]): [number, number] => {
    const world = current();
    if (world === undefined) return hrtime(since);
    const elapsed = nanoseconds(world) - toNanoseconds(since ?? [0, 0]);
    return [Number(elapsed / 1_000_000_000n), Number(elapsed % 1_000_000_000n)];
  };
  const bigint = (): bigint => {
    const world = current();
    return world === undefined ? hrtime.bigint() : nanoseconds(world);
  };
  replace(process, "hrtime", { value: Object.assign(patched, { bigint }) });
  replace(process, "uptime", {
    value: () => {
      const world = current();
      return world === undefined ? uptime() : world.monotonicMs() / 1000;
    },
  });
}

function toNanoseconds([seconds, rest]: readonly [number, number]): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

function replace(target: object, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(target, name, { configurable: true, enumerable: true, ...property });
}
