import {
  type ChildExit,
  type JsonObject,
  type Kernel,
  type SpawnedDriver,
  type StopOptions,
  type AgentSpec,
} from "../../core/index.ts";
import { RemoteChild, type RemoteHost } from "../remote-child.ts";

/** What a child that was spawned into another process needs of its worker. */
export interface SpawnedHost extends RemoteHost {
  /** Takes it out there, once it is gone for good; a worker that is away does that when it is back. */
  leaveAgent(name: string, options: { readonly isForgotten: boolean }): Promise<void> | undefined;
}

/** A child that was spawned into another process. Its start is done when it runs there: while no worker is there, it waits. */
export class SpawnedChild extends RemoteChild implements SpawnedDriver {
  readonly spec: AgentSpec;
  readonly isHalted = false;
  readonly hasLift = false;
  readonly #host: SpawnedHost;
  readonly #kernel: Kernel;
  #starting: PromiseWithResolvers<void> | undefined;
  #isLeft = false;

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  constructor(kernel: Kernel, spec: AgentSpec, host: SpawnedHost) {
    super(kernel, spec, host);
    this.spec = spec;
    this.#host = host;
    this.#kernel = kernel;
  }

  /** {@inheritDoc SpawnedDriver.startPhase} */
  get startPhase(): string {
    return this.#host.processId === undefined ? "the wait for its worker" : "its start";
  }

  /** {@inheritDoc ChildDriver.start} */
  override async start(onExit: (exit: ChildExit) => void): Promise<void> {
    const starting = Promise.withResolvers<void>();
    this.#starting = starting;
    void super.start((exit) => {
      if (this.#starting !== starting) return onExit(exit);
      this.#starting = undefined;
      // One that was done before anybody heard of its start.
      if (exit.kind === "normal") starting.resolve();
      else starting.reject(exit.error);
    });
    await starting.promise;
  }

  /** {@inheritDoc RemoteChild.adopt} */
  override adopt(): void {
    super.adopt();
    const starting = this.#starting;
    this.#starting = undefined;
    starting?.resolve();
  }

  /** {@inheritDoc ChildDriver.stop} */
  override async stop(options: StopOptions): Promise<readonly string[]> {
    this.#starting = undefined;
    return await super.stop(options);
  }

  /** {@inheritDoc ChildDriver.retire} */
  override retire(): void {
    super.retire();
    // In the same turn follows `forget`, where what it has saved is to go.
    this.#kernel.system.yieldTurn(() => void this.#leave(false));
  }

  /** {@inheritDoc SpawnedDriver.forget} */
  forget(): Promise<void> | undefined {
    return this.#leave(true);
  }

  #leave(isForgotten: boolean): Promise<void> | undefined {
    if (this.#isLeft) return undefined;
    this.#isLeft = true;
    return this.#host.leaveAgent(this.name, { isForgotten });
  }
}

/** Says what a worker is to run: its class as in `type:`, whether a budget is above it, and what `child` takes. */
export function guestPayload(
  {
    name,
    type,
    isBudgeted,
  }: { readonly name: string; readonly type: string; readonly isBudgeted: boolean },
  options: object | undefined,
): GuestPayload {
  const given = JSON.parse(JSON.stringify(options ?? {})) as JsonObject;
  return { name, class: type, is_budgeted: isBudgeted, options: given };
}

/** What a worker is to run, as it is sent. */
export type GuestPayload = JsonObject & { readonly name: string };
