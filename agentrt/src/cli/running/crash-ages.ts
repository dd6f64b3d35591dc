import type { JsonObject, System } from "../../core/index.ts";
import type { Runtime } from "../../runtime/index.ts";

/** Crashes that are remembered: of so many supervisors, of each so many, and for so long, milliseconds. */
const [supervisorCountMax, crashCountMax, ageMsMax] = [100, 100, 3_600_000] as const;

/** When children crashed, by their supervisors: for the supervisor process that takes over. */
export class CrashAges {
  readonly #system: Pick<System, "monotonicMs">;
  readonly #times = new Map<string, number[]>();

  /** @param system The clock. */
  constructor(system: Pick<System, "monotonicMs">) {
    this.#system = system;
  }

  /** Takes note of crashes from now on. */
  watch(runtime: Pick<Runtime, "onEvent">): void {
    runtime.onEvent((event) => {
      if (event.type === "supervisor.crash") this.#note(event.supervisor, [0]);
    });
  }

  /** @returns How long ago crashes were, for each supervisor, milliseconds. */
  agesMs(): { [supervisor: string]: number[] } {
    const nowMs = this.#system.monotonicMs();
    const ages: { [supervisor: string]: number[] } = {};
    for (const [name, times] of this.#times)
      ages[name] = times.map((timeMs) => nowMs - timeMs).filter((ageMs) => ageMs < ageMsMax);
    return ages;
  }

  /**
   * Takes what `agesMs` was in another process.
   *
   * @param legacy What that process left; what is not an age is left out.
   * @param sinceMs How long ago that was.
   * @returns The ages now.
   */
  recall(legacy: JsonObject, sinceMs: number): { [supervisor: string]: number[] } {
    for (const [name, ages] of Object.entries(legacy))
      if (Array.isArray(ages))
        this.#note(
          name,
          ages.flatMap((age) => (typeof age === "number" && age >= 0 ? [age + sinceMs] : [])),
        );
    return this.agesMs();
  }

  #note(supervisor: string, agesMs: readonly number[]): void {
    const nowMs = this.#system.monotonicMs();
    const times = [...(this.#times.get(supervisor) ?? []), ...agesMs.map((age) => nowMs - age)];
    this.#times.delete(supervisor);
    this.#times.set(supervisor, times.slice(-crashCountMax));
    const [oldest] = this.#times.keys();
    if (this.#times.size > supervisorCountMax && oldest !== undefined) this.#times.delete(oldest);
  }
}
