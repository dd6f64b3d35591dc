import {
  checkOptions,
  describeValue,
  optionErrors,
  type OptionNames,
  type SupervisorSpec,
} from "../core/index.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

const runtimeOptionNames: OptionNames<RuntimeOptions> = {
  supervision: true,
  state: true,
  log: true,
  audit: true,
  system: true,
  scheduler: true,
  transport: true,
  network: true,
  standby: true,
  models: true,
  tools: true,
  resilience: true,
  loadClass: true,
  crashTrails: true,
  typeOfClass: true,
  exporters: true,
  sampling: true,
  redactor: true,
  tracer: true,
  shutdown: true,
  onCreated: true,
  onStray: true,
  onListening: true,
};

/**
 * Refuses options of a runtime that a topology file would refuse: unknown names, no tree, a supervisor without children.
 *
 * @param options What the program gave.
 * @throws AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG.
 */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  checkOptions("the runtime", options, runtimeOptionNames);
  const supervision: unknown = options.supervision;
  const isTree =
    typeof supervision === "object" &&
    supervision !== null &&
    "kind" in supervision &&
    supervision.kind === "supervisor";
  if (isTree) return;
  throw new optionErrors.WRONG({
    owner: "the runtime",
    option: "supervision",
    found: describeValue(supervision),
    wanted: "a tree, as supervisor() makes it",
  });
}

/**
 * Refuses supervisors without children; those whose children come while the tree runs have none at first.
 *
 * @param spec The tree to run.
 * @throws AGENTRT_OPTION_NO_CHILDREN.
 */
export function checkChildren(spec: SupervisorSpec): void {
  const isFilled = [spec.dynamic, spec.keyed, spec.pool].some((policy) => policy !== undefined);
  if (spec.children.length === 0 && !isFilled)
    throw new optionErrors.NO_CHILDREN({ supervisor: spec.name });
  for (const node of spec.children) if (node.kind === "supervisor") checkChildren(node);
}
