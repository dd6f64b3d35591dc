import { type FlagSpec, jsonFlag } from "./command.ts";
import { headerFlag } from "./headers.ts";
import { topologyFlags } from "./topologies/index.ts";

/** The flags of every command that asks the control plane of a running topology. */
export const controlFlags: readonly FlagSpec[] = [...topologyFlags, headerFlag, jsonFlag];
