import {
  type Kernel,
  type NamedModel,
  type PartsInUse,
  reasonOf,
  type ToolSource,
} from "../../core/index.ts";
import { closeModels } from "../model-set.ts";
import { closeToolSources } from "../open-tool-sources.ts";

/** What agents use of the world outside. */
export interface Parts {
  readonly models: readonly NamedModel[];
  readonly tools: readonly ToolSource[];
}

/** What decides when a part is closed. */
export interface PartsHost {
  readonly kernel: () => Kernel;
  readonly partsInUse: PartsInUse;
  /** How long the calls of a part that is replaced may take, milliseconds. */
  readonly partGraceMs: () => number;
  /** Settles when the runtime begins to stop: what is in use then is closed at the end of the stop. */
  readonly stopping: Promise<void>;
}

/** One part: what has its calls, its name for the log, and how it is closed. */
interface Part {
  readonly used: object;
  readonly fields: { readonly [key: string]: string };
  readonly close: () => Promise<void>;
}

/** Model providers and sources of tools that agents find no longer: each is closed behind the last of its calls. */
export class ReplacedParts {
  readonly #host: PartsHost;
  readonly #open = new Set<Part>();
  #isOver = false;

  /** @param host What decides when a part is closed. */
  constructor(host: PartsHost) {
    this.#host = host;
  }

  /**
   * Closes parts, each when its calls have ended, after the grace at the latest.
   *
   * @returns Settles when those that have no calls are closed: a call may hang, and who made the change need not wait for it.
   */
  async close({ models, tools }: Parts): Promise<void> {
    const { log } = this.#host.kernel();
    const parts = [
      ...models.map((model): Part => {
        const close = async (): Promise<void> => await closeModels([model], log);
        return { used: model.provider, fields: { model: model.name }, close };
      }),
      ...tools.map((source): Part => {
        const close = async (): Promise<void> => await closeToolSources([source], log);
        return { used: source, fields: { server: source.name }, close };
      }),
    ];
    for (const part of parts) this.#open.add(part);
    const { partsInUse } = this.#host;
    const closing = parts.map((part) => ({
      isUsed: partsInUse.countOf(part.used) > 0,
      closed: this.#closeOne(part),
    }));
    for (const { closed } of closing)
      closed.catch((error: unknown) =>
        log.warn("what was replaced cannot be closed", { reason: reasonOf(error) }),
      );
    await Promise.all(closing.flatMap(({ isUsed, closed }) => (isUsed ? [] : [closed])));
  }

  /** Closes what still waits for its calls: no agent runs any more. */
  async closeNow(): Promise<void> {
    this.#isOver = true;
    const parts = [...this.#open];
    this.#open.clear();
    await Promise.all(parts.map((part) => part.close()));
  }

  async #closeOne(part: Part): Promise<void> {
    const end = await this.#endOfCalls(part);
    // The agents stop first, and their calls with them.
    if (end === "stopping" && !this.#isOver) return;
    if (this.#open.delete(part)) await part.close();
  }

  async #endOfCalls({ used, fields }: Part): Promise<"unused" | "late" | "stopping"> {
    const { kernel, partsInUse, partGraceMs, stopping } = this.#host;
    if (partsInUse.countOf(used) === 0) return "unused";
    const { system, log } = kernel();
    const graceMs = partGraceMs();
    const late = Promise.withResolvers<"late">();
    const timer = system.setTimer(graceMs, () => late.resolve("late"));
    const end = await Promise.race([
      partsInUse.unused(used).then(() => "unused" as const),
      late.promise,
      stopping.then(() => "stopping" as const),
    ]);
    system.clearTimer(timer);
    if (end === "late") {
      const calls = partsInUse.countOf(used);
      log.warn("what was replaced is closed while it is used", { ...fields, calls, graceMs });
    }
    return end;
  }
}
