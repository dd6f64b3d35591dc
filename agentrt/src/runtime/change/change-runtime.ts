import {
  type Kernel,
  type NamedModel,
  type PartsInUse,
  supervisionErrors,
  type ToolSet,
  type ToolSource,
} from "../../core/index.ts";
import { checkModelNames, openModels, warnUnpriced } from "../model-set.ts";
import { openToolSources } from "../open-tool-sources.ts";
import type { RuntimeStatus } from "../runtime-types.ts";
import type { TreeIndex } from "../tree-index.ts";
import { changeErrors } from "./errors.ts";
import { type Parts, ReplacedParts } from "./replaced-parts.ts";
import { TreeChange, type TreeDescription } from "./tree-change.ts";

/** Another description for a runtime that runs. */
export interface RuntimeDescription extends TreeDescription {
  /** The model providers, the default one first; default those that there are. Those that are not among them are closed. */
  readonly models?: readonly NamedModel[] | undefined;
  /** Where agents get tools from; default where they get them now. */
  readonly tools?: readonly ToolSource[] | undefined;
}

/** What is changed, and what it is made of. */
export interface ChangedRuntime {
  readonly tree: () => TreeIndex;
  readonly kernel: () => Kernel;
  readonly status: () => RuntimeStatus;
  /** Filled again by a change: the kernel has the same array. */
  readonly models: NamedModel[];
  readonly tools: ToolSet;
  /** Which providers and sources have calls that run. */
  readonly partsInUse: PartsInUse;
  /** How long the calls of one that is replaced may take, milliseconds. */
  readonly partGraceMs: () => number;
}

/** Changes a runtime, one change at a time. */
export class RuntimeChanges {
  readonly #runtime: ChangedRuntime;
  readonly #stopping = Promise.withResolvers<void>();
  readonly #replaced: ReplacedParts;
  #isBusy = false;

  /** @param runtime What is changed. */
  constructor(runtime: ChangedRuntime) {
    this.#runtime = runtime;
    this.#replaced = new ReplacedParts({ ...runtime, stopping: this.#stopping.promise });
  }

  /** True while a change is under way. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The runtime begins to stop: a change that is under way ends where it is. */
  end(): void {
    this.#stopping.resolve();
  }

  /** Closes what was replaced and still waited for its calls when the runtime began to stop. */
  async closeParts(): Promise<void> {
    await this.#replaced.closeNow();
  }

  /**
   * Puts another description in place of the one that runs.
   *
   * @param description What is to run.
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_CHANGE_BUSY while another change is under way; AGENTRT_SUPERVISION_NOT_STARTED; what a model provider
   *   or a source of tools throws that does not open; and as `TreeChange.run`. In each case all is as it was before.
   */
  async run(description: RuntimeDescription): Promise<readonly string[]> {
    this.#refuseUnlessStarted();
    const tree = this.#runtime.tree();
    if (this.#isBusy) throw new changeErrors.BUSY({ runtime: tree.spec.name });
    this.#isBusy = true;
    try {
      return await this.#withParts(description, tree);
    } finally {
      this.#isBusy = false;
    }
  }

  async #withParts(description: RuntimeDescription, tree: TreeIndex): Promise<readonly string[]> {
    const { models, tools } = this.#runtime;
    const kernel = this.#runtime.kernel();
    const { log } = kernel;
    const before: Parts = { models: [...models], tools: tools.sources };
    const next: Parts = {
      models: description.models ?? before.models,
      tools: description.tools ?? before.tools,
    };
    checkModelNames(next.models);
    const opened = {
      models: without(next.models, before.models),
      tools: without(next.tools, before.tools),
    };
    const put = (parts: Parts): void => {
      models.splice(0, models.length, ...parts.models);
      tools.replace(parts.tools);
    };
    try {
      await openModels(opened.models, kernel);
      await openToolSources(opened.tools, log);
      put(next);
      const host = {
        tree,
        kernel,
        refuseUnlessStarted: () => this.#refuseUnlessStarted(),
        stopping: this.#stopping.promise,
      };
      const lateNames = await new TreeChange(host, description).run();
      await tree.budgets.load();
      warnUnpriced(opened.models, { isBudgetInUsd: tree.budgets.isInUsd, log });
      await this.#replaced.close({
        models: without(before.models, next.models),
        tools: without(before.tools, next.tools),
      });
      return lateNames;
    } catch (error) {
      put(before);
      await this.#replaced.close(opened);
      throw error;
    }
  }

  #refuseUnlessStarted(): void {
    const status = this.#runtime.status();
    if (status === "started") return;
    const runtime = this.#runtime.tree().spec.name;
    throw new supervisionErrors.NOT_STARTED({ runtime, status, wanted: "started" });
  }
}

function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  return items.filter((item) => !others.includes(item));
}
