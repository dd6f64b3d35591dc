import type { NamedModel, StateStore, ToolSource } from "../core/index.ts";
import type { ListeningAddress } from "../gateway/index.ts";
import type { RuntimeOptions as TreeRuntimeOptions } from "../runtime/index.ts";
import type { Standby } from "../node-specs/index.ts";
import type { BuiltInModel } from "./plugins/index.ts";
import type { ProcessOptions } from "./processes/index.ts";

/** What a runtime is made from. */
export interface RuntimeOptions extends Omit<TreeRuntimeOptions, "models"> {
  /**
   * What agents ask by `this.llm`, the default one first; default none. Objects of your own under a name, or built-in
   * providers by the words of the topology: `{ type: "openai", config: { default_model: "gpt-5.5" } }`.
   */
  readonly models?: readonly (NamedModel | BuiltInModel)[] | undefined;
  /** There for the control plane of a supervisor that waits. */
  readonly standby?: Standby | undefined;
  /** Called each time a gateway of the tree has started to listen. */
  readonly onListening?: ((address: ListeningAddress) => void) | undefined;
}

/** The options of `Runtime.fromTopology`. */
export interface FromTopologyOptions extends Omit<RuntimeOptions, "supervision"> {
  /** Classes by the short name that is in `type:`. */
  readonly typeMap?: { readonly [type: string]: unknown };
  /**
   * What `${NAME}` and `${NAME:-default}` in the files read, such as `process.env`; default nothing: such a text stays as
   * it is. No value of it is in the default log or in spans.
   */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined;
  /** Which of the processes of the topology this is; default the supervisor's own. */
  readonly processes?: ProcessOptions | undefined;
  /** Puts something between the agents and the state store of the file. */
  readonly wrapState?: ((store: StateStore) => StateStore) | undefined;
  /** Puts something between the agents and the models of the file, as `recordModels` does. */
  readonly wrapModels?: ((models: readonly NamedModel[]) => readonly NamedModel[]) | undefined;
  /** Puts something between the agents and the tools of the file, as `recordTools` does. */
  readonly wrapTools?: ((sources: readonly ToolSource[]) => readonly ToolSource[]) | undefined;
}
