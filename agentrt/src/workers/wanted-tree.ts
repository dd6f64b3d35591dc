import type { JsonObject, Log, System, TimerWheel } from "../core/index.ts";
import { ControlChannel, type Link, linkErrors } from "../links/index.ts";
import type { TreeFiles } from "../runtime/index.ts";
import type { Serializer } from "../wire/index.ts";
import { workerErrors } from "./errors.ts";
import { controlTypes, supervisorTopic, textOf } from "./protocol.ts";
import { readTree } from "./tree-payload.ts";

/** How long one question may take, and how often it is asked. */
const timeoutMs = 1000;
const tryCountMax = 30;

/** What a supervisor is asked by. */
export interface WantedTreeInit {
  /** Connected. */
  readonly link: Link;
  readonly serializer: Serializer;
  readonly system: System;
  readonly wheel: TimerWheel;
  readonly log: Log;
  /** Where the link leads to, for messages. */
  readonly where: string;
}

/**
 * Asks the supervisor of a broker for its tree, again until it answers.
 *
 * @param init What it is asked by.
 * @param question `process`, the group that the worker is to be of; `topology`, the hash of the tree that it expects; both may be empty.
 * @throws AGENTRT_WORKER_NO_SUPERVISOR; what the supervisor says.
 */
export async function wantedTree(
  init: WantedTreeInit,
  question: JsonObject,
): Promise<TreeFiles & { readonly groups: readonly string[] }> {
  const { log, system, where } = init;
  const onRefused = (error: Error): void =>
    log.warn("a message of another process was not taken", { error });
  const ownTopic = `_control.${system.nextId()}`;
  const channel = new ControlChannel({ ...init, ownTopic, onRefused });
  await channel.start();
  try {
    for (let tryCount = 0; tryCount < tryCountMax; tryCount += 1) {
      const message = { type: controlTypes.wantTree, payload: question };
      const answer = await answered(channel.ask(supervisorTopic, message, timeoutMs));
      if (answer !== undefined) {
        const { groups } = answer;
        return { ...readTree(answer), groups: Array.isArray(groups) ? groups.map(textOf) : [] };
      }
      if (tryCount === 0) log.warn("no supervisor answers yet; it is tried again", { where });
    }
  } finally {
    channel.stop(new linkErrors.DOWN({ link: init.link.name, address: "the supervisor" }));
  }
  throw new workerErrors.NO_SUPERVISOR({ where });
}

/** @returns Undefined where nobody answers. */
async function answered(asked: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "AGENTRT_BUS_TIMEOUT" || code === "AGENTRT_WORKER_CHANGING") return undefined;
    throw error;
  }
}
