import { messageInternals } from "../../messages/index.ts";
import { Alarm } from "../../ports/index.ts";
import { reasonOf } from "../../values/index.ts";
import { planRestart } from "../plan-restart.ts";
import { reportExhausted, reportRestart } from "../report.ts";
import { RestartWindow } from "../restart-window.ts";
import { keyErrors } from "./errors.ts";
import type { KeyPlaces } from "./key-places.ts";
import { KeyWindows } from "./key-windows.ts";
import type { KeyedHome } from "./keyed-home.ts";
import type { KeyedSlot } from "./keyed-slot.ts";

/**
 * What the crash of a key leads to. Each key has its own budget; one that has used it up is left alone for a time, and
 * too many such keys are a crash of the whole.
 */
export class KeyCrashes {
  readonly #home: KeyedHome;
  readonly #places: KeyPlaces;
  /** Those that are left alone. */
  readonly #failed = new Set<KeyedSlot>();
  readonly #windows = new KeyWindows();

  /**
   * @param home The keyed agent.
   * @param places Those of its keys.
   */
  constructor(home: KeyedHome, places: KeyPlaces) {
    this.#home = home;
    this.#places = places;
  }

  /** Keys that are left alone. */
  get failedCount(): number {
    return this.#failed.size;
  }

  /** Gives a key that comes the crashes that count. */
  onOpened(slot: KeyedSlot): void {
    slot.window = this.#windows.get(slot.key);
  }

  /** Keeps the crashes of a key that goes. */
  onForgotten(slot: KeyedSlot): void {
    this.#failed.delete(slot);
    this.#windows.keep(slot.key, slot.window, this.#home.kernel.system.monotonicMs());
  }

  /** Refuses a message to a key that is left alone. */
  refuseIfFailed({ key, failure }: KeyedSlot): void {
    const nowMs = this.#home.kernel.system.monotonicMs();
    if (failure === undefined || failure.untilMs <= nowMs) return;
    const retryAfterMs = failure.untilMs - nowMs;
    const { name: agent } = this.#home.spec;
    throw new keyErrors.FAILED({ agent, key, reason: failure.reason, retryAfterMs });
  }

  /** Forgets a key that was left alone, once its time is over. */
  onCoolDownDue(slot: KeyedSlot): void {
    const { kernel } = this.#home;
    const { untilMs = 0 } = slot.failure ?? {};
    if (kernel.system.monotonicMs() >= untilMs) this.#home.forget(slot);
    else slot.wakeAt(kernel.wheel, untilMs);
  }

  /** Forgets all keys that are left alone. */
  clearFailed(): void {
    for (const slot of this.#failed) this.#home.forget(slot);
  }

  /** Forgets the crashes of keys that are not there: the whole starts again. */
  onBoot(): void {
    this.#windows.clear();
  }

  /** Takes note of a crash, and plans what follows. */
  crashed(slot: KeyedSlot, error: unknown): void {
    const { kernel, spec } = this.#home;
    const window = (slot.window ??= new RestartWindow(spec.limits));
    const delayMs = planRestart(kernel, spec, { slot, error, window });
    if (delayMs === undefined) {
      this.#giveUp(slot, error);
      return;
    }
    slot.driver.settleDown(true);
    this.#restartLater(slot, delayMs);
  }

  #restartLater(slot: KeyedSlot, delayMs: number): void {
    const { wheel, system } = this.#home.kernel;
    const { epoch } = slot;
    const due = (): void => this.#home.later(() => this.#restartDue(slot, epoch));
    // A start that fails for ever leaves its turn to everybody else.
    if (delayMs === 0) system.yieldTurn(due);
    else wheel.arm(new Alarm(due), system.monotonicMs() + delayMs);
  }

  #restartDue(slot: KeyedSlot, epoch: number): void {
    const { kernel, spec } = this.#home;
    if (!this.#home.has(slot) || slot.epoch !== epoch || slot.job !== undefined) return;
    // It lost its place meanwhile, in a restart of the whole: it starts when it has one again.
    if (!slot.isResident) return;
    const crashesInWindow = slot.window?.count(kernel.system.monotonicMs()) ?? 0;
    const children = [slot.driver.name];
    reportRestart(kernel, spec, { child: slot.driver, crashesInWindow, children });
    this.#home.begin({ kind: "restart", lane: slot, starts: [slot] });
  }

  /** Leaves a key alone for a time: its messages are refused. Too many such keys are a crash of the whole. */
  #giveUp(slot: KeyedSlot, error: unknown): void {
    const { kernel, spec, policy } = this.#home;
    const { coolDownMs, failedCountMax } = policy;
    const nowMs = kernel.system.monotonicMs();
    const reason = reasonOf(error);
    for (const other of this.#failed) {
      if ((other.failure?.untilMs ?? 0) <= nowMs) this.#home.forget(other);
    }
    slot.failure = { reason, untilMs: nowMs + coolDownMs };
    this.#failed.add(slot);
    this.#places.leave(slot);
    slot.wakeAt(kernel.wheel, slot.failure.untilMs);
    const isTooMuch = this.#failed.size > failedCountMax;
    const outcome = isTooMuch ? "escalated" : "keptAway";
    const exhausted = reportExhausted(kernel, spec, { child: slot.driver.name, error, outcome });
    const refused = { agent: spec.name, key: slot.key, reason, retryAfterMs: coolDownMs };
    for (const message of slot.driver.mailbox.drain(() => new keyErrors.FAILED(refused))) {
      messageInternals.replyOf(message)?.reject(new keyErrors.FAILED(refused));
      kernel.bus.drop(message, "stopped");
    }
    slot.driver.suspension?.drop(() => new keyErrors.FAILED(refused));
    slot.window = undefined;
    if (isTooMuch) {
      // Who watches the key hears whether the whole comes back.
      this.#home.fail(exhausted);
      return;
    }
    slot.driver.settleDown(false);
    this.#places.admit();
  }
}
