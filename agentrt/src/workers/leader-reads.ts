import type { JsonObject, System, TimerWheel } from "../core/index.ts";
import { ControlChannel, type Link, linkErrors } from "../links/index.ts";
import type { Serializer } from "../wire/index.ts";
import { controlTypes, supervisorTopic } from "./protocol.ts";

/** How long a question may take when it says nothing itself, milliseconds. */
const timeoutMsDefault = 5000;

/** What a supervisor that waits asks the one that leads by. */
export interface LeaderReadsInit {
  /** Not connected yet. */
  readonly link: Link;
  readonly serializer: Serializer;
  readonly system: System;
  readonly wheel: TimerWheel;
  readonly onRefused: (error: Error) => void;
}

/** Asks the supervisor that leads. */
export class LeaderReads {
  readonly #link: Link;
  readonly #channel: ControlChannel;

  constructor(init: LeaderReadsInit) {
    this.#link = init.link;
    const ownTopic = `_control.${init.system.nextId()}`;
    this.#channel = new ControlChannel({ ...init, ownTopic });
  }

  /** Connects. */
  async open(): Promise<void> {
    await this.#link.start();
    await this.#channel.start();
  }

  /** Asks. @throws AGENTRT_LINK_DOWN, AGENTRT_BUS_TIMEOUT. */
  async ask(
    question: JsonObject,
    { timeoutMs = timeoutMsDefault }: { readonly timeoutMs?: number } = {},
  ): Promise<JsonObject> {
    const message = { type: controlTypes.read, payload: question };
    return await this.#channel.ask(supervisorTopic, message, timeoutMs);
  }

  /** Disconnects. */
  async close(): Promise<void> {
    this.#channel.stop(new linkErrors.DOWN({ link: this.#link.name, address: "the leader" }));
    await this.#link.stop();
  }
}
