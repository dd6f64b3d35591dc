import { busErrors } from "../../errors.ts";
import { type TimerWheel, WheelEntry } from "../../ports/index.ts";
import { spawnErrors } from "./errors.ts";
import type { SpawnReport, SpawnRequest } from "../../agents/index.ts";

const defaultTimeoutMs = 30_000;

/** What a pending spawn is made from. */
export interface PendingSpawnInit {
  readonly wheel: TimerWheel;
  readonly nowMs: number;
  readonly supervisor: string;
  /** Verified: the name of the agent whose code asks. */
  readonly spawner: string;
  readonly request: SpawnRequest;
}

/** A caller of `spawn` that waits for a child: until it is admitted, or until it runs. */
export class PendingSpawn extends WheelEntry {
  readonly promise: Promise<SpawnReport>;
  readonly request: SpawnRequest;
  readonly spawner: string;
  readonly #supervisor: string;
  readonly #wheel: TimerWheel;
  readonly #timeoutMs: number;
  #resolve!: (report: SpawnReport) => void;
  #reject!: (error: unknown) => void;
  #isOpen = true;
  #release: (() => void) | undefined;
  /** What it waits for now, for the error. */
  waitsFor = "its admission";
  /** Called when it is settled, with success or failure. */
  onClosed: (() => void) | undefined;

  constructor(init: PendingSpawnInit) {
    super();
    this.request = init.request;
    this.spawner = init.spawner;
    this.#supervisor = init.supervisor;
    this.#wheel = init.wheel;
    this.#timeoutMs = init.request.options?.timeoutMs ?? defaultTimeoutMs;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#wheel.arm(this, init.nowMs + this.#timeoutMs);
    const signal = init.request.options?.signal;
    if (signal !== undefined) this.#follow(signal);
  }

  /** False once it is answered, or does not wait any more. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True when it wants to wait for the start. */
  get isPatient(): boolean {
    return this.request.options?.wait !== false;
  }

  override onDue(): void {
    const { name: child } = this.request;
    const [supervisor, timeoutMs, waitsFor] = [this.#supervisor, this.#timeoutMs, this.waitsFor];
    this.reject(new spawnErrors.TIMEOUT({ child, supervisor, timeoutMs, waitsFor }));
  }

  /** Answers that the child is there. */
  resolve(is: { readonly isReady: boolean; readonly isExisting: boolean }): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#resolve({ name: this.request.name, supervisor: this.#supervisor, ...is });
  }

  /** Answers that there is no child. */
  reject(error: unknown): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#reject(error);
  }

  #follow(signal: AbortSignal): void {
    const cancel = (): void => {
      const details = { address: this.#supervisor };
      this.reject(new busErrors.CANCELLED(details, { cause: signal.reason }));
    };
    if (signal.aborted) {
      cancel();
      return;
    }
    signal.addEventListener("abort", cancel, { once: true });
    this.#release = () => signal.removeEventListener("abort", cancel);
  }

  #close(): void {
    this.#isOpen = false;
    this.#wheel.disarm(this);
    this.#release?.();
    this.onClosed?.();
  }
}
