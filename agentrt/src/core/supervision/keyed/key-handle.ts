import type { AgentCell, RestartRequest } from "../../incarnations/index.ts";
import type { Message } from "../../messages/index.ts";
import type { DrainRequest, SuspensionRequest } from "../../suspension/index.ts";
import type { KeyedSupervisor } from "./keyed-supervisor.ts";

/** A key as somebody names it (`ticket/4711`), whether it has an object or not. */
export class KeyHandle {
  readonly kind = "agent";
  readonly name: string;
  readonly #supervisor: KeyedSupervisor;
  readonly #key: string;

  /**
   * @param supervisor The keyed agent.
   * @param key Not checked yet.
   */
  constructor(supervisor: KeyedSupervisor, key: string) {
    this.name = `${supervisor.name}/${key}`;
    this.#supervisor = supervisor;
    this.#key = key;
  }

  /** True while it has an object. */
  get isRunning(): boolean {
    return this.#supervisor.cellOf(this.#key)?.isRunning === true;
  }

  /** The agent of its object; undefined while it has none. */
  get cell(): AgentCell | undefined {
    return this.#supervisor.cellOf(this.#key);
  }

  /** Restarts its object, as `AgentCell.requestRestart`; one that has none starts with its next message. */
  requestRestart(request: RestartRequest): void {
    this.#supervisor.cellOf(this.#key)?.requestRestart(request);
  }

  /** @returns The messages that wait for its object, as `Mailbox.peek`; of a key without one nothing waits. */
  waitingMessages(): Message[] {
    return this.#supervisor.cellOf(this.#key)?.waitingMessages() ?? [];
  }

  /** Takes one message out of the mailbox of its object, as `AgentCell.removeWaiting`. */
  removeWaiting(id: string, initiatedBy: string): boolean {
    return this.#supervisor.cellOf(this.#key)?.removeWaiting(id, initiatedBy) === true;
  }

  /** {@inheritDoc Drainable.isRefusing} One that has no object is suspended at once. */
  get isRefusing(): boolean {
    return this.#supervisor.cellOf(this.#key)?.isRefusing ?? true;
  }

  /** {@inheritDoc Drainable.beginDrain} */
  async beginDrain(asked: DrainRequest): Promise<void> {
    await this.#supervisor.cellOf(this.#key)?.beginDrain(asked);
  }

  /** {@inheritDoc Drainable.isWorking} */
  get isWorking(): boolean {
    return this.#supervisor.cellOf(this.#key)?.isWorking === true;
  }

  /** {@inheritDoc AgentHome.askSuspension} */
  askSuspension(request: SuspensionRequest): void {
    this.#supervisor.askKeySuspension(this.#key, request);
  }
}
