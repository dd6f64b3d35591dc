import {
  Agent,
  child,
  type ChildOptions,
  type JsonObject,
  type Message,
  type supervisor,
} from "../core/index.ts";
import { kernelInvariants } from "./invariants/index.ts";
import { Simulation } from "./simulation.ts";

/** For the tests of this package: an agent that does what its messages say, and writes down its starts and stops. */
export class Puppet extends Agent {
  /** Starts, refused starts and stops, in order. */
  static trace: string[] = [];
  /** How often the start of a puppet fails, by name. */
  static failingStarts = new Map<string, number>();
  /** Puppets whose starts never end, by name. */
  static hangingStarts = new Set<string>();

  override onStart(): Promise<void> | void {
    const isHanging = this.config["hangsAtStart"] === true || Puppet.hangingStarts.has(this.name);
    if (isHanging) return new Promise(() => undefined);
    const failing = Puppet.failingStarts.get(this.name) ?? 0;
    if (failing > 0) {
      Puppet.failingStarts.set(this.name, failing - 1);
      Puppet.trace.push(`refuse ${this.name}`);
      throw new Error(`${this.name} does not start`);
    }
    Puppet.trace.push(`start ${this.name}`);
  }

  override onStop(): Promise<void> | void {
    Puppet.trace.push(`stop ${this.name}`);
    if (this.config["hangs"] === true) return new Promise(() => undefined);
  }

  override onError() {
    return this.config["onError"] === "stop" ? ("stop" as const) : ("escalate" as const);
  }

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["hang"] === true) await new Promise(() => undefined);
    const crash = message.payload["crash"];
    if (typeof crash === "string") throw new Error(crash);
    return { name: this.name };
  }
}

/** Describes a puppet of a tree. */
export function puppet(name: string, options: ChildOptions = {}) {
  return child(Puppet, name, options);
}

/** Starts a tree of puppets on a virtual clock, held against the kernel's invariants. */
export async function simulate(supervision: ReturnType<typeof supervisor>): Promise<Simulation> {
  Puppet.trace = [];
  Puppet.failingStarts = new Map();
  Puppet.hangingStarts = new Set();
  const simulation = new Simulation({ supervision, invariants: kernelInvariants() });
  await simulation.start();
  return simulation;
}

/** Crashes a puppet and serves what follows at once. */
export async function crash(simulation: Simulation, name: string, reason = "crash"): Promise<void> {
  simulation.runtime.cast(name, { crash: reason }).catch(() => undefined);
  await simulation.runUntilIdle();
}

/** Reads the waits before restarts from the event log. */
export function restartDelays(simulation: Simulation): number[] {
  return simulation.events.lines.flatMap((line) => {
    const match = /restart in ([\d.]+) ms/.exec(line);
    return match === null ? [] : [Number(match[1])];
  });
}

/** Restarts without a wait. */
export const instantly = { backoffBaseMs: 0 } as const;
