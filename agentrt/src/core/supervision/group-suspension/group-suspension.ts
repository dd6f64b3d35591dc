import { agentErrors } from "../../errors.ts";
import { Checkpoints } from "../../incarnations/index.ts";
import {
  AgentSuspension,
  describeMarker,
  type DrainRequest,
  serveSuspension,
  type SuspensionMarker,
  type SuspensionNode,
  type SuspensionRequest,
  suspensionRequestCountMax,
} from "../../suspension/index.ts";
import type { AgentStatus, Kernel } from "../../tree/index.ts";

/** What a suspension does to its group. */
export interface SuspendedGroup {
  readonly name: string;
  /** Settles once no object handles a message that it began before. */
  readonly whenRested: () => Promise<void>;
  /** It is found to be drained: what was sent before anybody could know it is refused. */
  readonly onDrained: () => void;
  /** Messages may go on. */
  readonly onReleased: () => void;
}

/**
 * The suspension of a whole group, saved under its name as that of an agent: no object begins another message, except
 * those with a priority above 0. The objects themselves are not suspended and hear nothing of it.
 */
export class GroupSuspension {
  readonly #kernel: Kernel;
  readonly #group: SuspendedGroup;
  readonly #checkpoints: Checkpoints;
  readonly #suspension = new AgentSuspension();
  #isServing = false;
  /** False until it is known whether the group was suspended before. */
  #isRestored = false;

  constructor(kernel: Kernel, group: SuspendedGroup) {
    this.#kernel = kernel;
    this.#group = group;
    this.#checkpoints = new Checkpoints(kernel, group.name);
    this.#checkpoints.isStateless = true;
  }

  /** The suspension in effect. */
  get marker(): SuspensionMarker | undefined {
    return this.#checkpoints.marker;
  }

  /** True while only messages with a priority above 0 are handed out. */
  get isHolding(): boolean {
    return !this.#isRestored || this.marker !== undefined;
  }

  /**
   * Reads whether the group was suspended before; once it is known, nothing.
   *
   * @throws What the store throws.
   */
  async restore(): Promise<void> {
    if (this.#isRestored) return;
    await this.#checkpoints.read();
    this.#isRestored = true;
    if (this.marker === undefined) this.#release();
    else this.#kernel.log.info("it starts suspended", { agent: this.#group.name });
    if (this.isRefusing) this.#group.onDrained();
  }

  /** Takes a request to suspend or resume; they are served one after the other. */
  ask(request: SuspensionRequest): void {
    const { requests } = this.#suspension;
    if (requests.length >= suspensionRequestCountMax) {
      const details = { agent: this.#group.name, requestCountMax: suspensionRequestCountMax };
      request.onGone(new agentErrors.SUSPENSION_BUSY(details));
      return;
    }
    requests.push(request);
    if (!this.#isServing) void this.#serve();
  }

  /** True from the beginning of a drain until somebody resumes. */
  get isRefusing(): boolean {
    return this.#checkpoints.isRefusing;
  }

  /** {@inheritDoc Drainable.beginDrain} */
  beginDrain(asked: DrainRequest): Promise<void> {
    return this.#checkpoints.beginDrain(asked, this.#kernel.system.nowMs());
  }

  /** Refuses the requests that wait, because the group has stopped. */
  drop(stoppedError: () => Error): void {
    this.#suspension.drop(stoppedError);
  }

  /** Forgets the suspension for good. */
  release(): void {
    this.#checkpoints.drain = undefined;
    if (this.marker === undefined) return;
    this.#checkpoints.marker = undefined;
    this.#checkpoints.rewrite().catch((error: unknown) => {
      const fields = { agent: this.#group.name, error };
      this.#kernel.log.error("a suspension could not be forgotten", fields);
    });
  }

  /** @returns What the status of the group is shown as: one that runs may be suspended, or not know yet whether it is. */
  shownStatus(status: AgentStatus): AgentStatus {
    if (status !== "RUNNING") return status;
    if (this.marker !== undefined) return "SUSPENDED";
    return this.#isRestored ? "RUNNING" : "INITIALIZING";
  }

  /** @returns The suspension as a plain value; null for none. */
  describe(): SuspensionNode | null {
    return describeMarker(this.marker, this.#suspension.isDurable);
  }

  /** Messages go on, and so do decisions that wait for the objects. */
  #release(): void {
    const { name, onReleased } = this.#group;
    onReleased();
    this.#kernel.approvals.wakeGroup(name);
  }

  async #serve(): Promise<void> {
    const { name, whenRested } = this.#group;
    this.#isServing = true;
    const target = {
      agent: {
        name,
        state: {},
        onSuspend: whenRested,
        onResume: () => undefined,
        onApproval: () => undefined,
      },
      isGroupHeld: false,
      isOver: () => false,
      kernel: this.#kernel,
      log: this.#kernel.log.with({ agent: name }),
      checkpoints: this.#checkpoints,
      suspension: this.#suspension,
      // Messages do not wait until it is saved that they go on.
      // A group waits for no approval.
      onFree: () => undefined,
      setStatus: (status: "RUNNING" | "SUSPENDED") => {
        if (status === "RUNNING") this.#release();
      },
      // How long the messages at hand take is up to the time limits of their handlers.
      inTime: async (_hook: string, result: void | PromiseLike<void>) => await result,
    };
    for (;;) {
      const request = this.#suspension.requests.shift();
      if (request === undefined) break;
      try {
        await serveSuspension(target, request);
      } catch (error) {
        request.onGone(error as Error);
      }
    }
    this.#isServing = false;
  }
}
