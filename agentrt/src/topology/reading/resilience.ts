import {
  didYouMean,
  fallbackLoop,
  fallbacksOf,
  type JsonObject,
  nearestName,
} from "../../core/index.ts";
import {
  isSupervisorNode,
  type PluginSettings,
  type ResilienceSettings,
  type SupervisorNode,
  type Topology,
  walkTree,
} from "../model/index.ts";
import { resilienceSchema } from "../schema/index.ts";
import {
  formatPath,
  locate,
  type ProblemLog,
  type SourceNode,
  type SourcePath,
  toPlain,
} from "../source/index.ts";
import { checkSchema } from "./schema-check.ts";

/** The section `resilience` as it is in the file, and the same as its schema types it. */
export type ReadResilience = Pick<Topology, "resilience" | "targets">;

/**
 * Reads the section `resilience`. What its names refer to is checked by `checkTargets`.
 *
 * @param source The section.
 * @param log Where faults go.
 */
export function readResilience(source: SourceNode, log: ProblemLog): ReadResilience {
  const isGiven = source.kind !== "map" || source.entries.size > 0;
  if (!isGiven) return { targets: {} };
  const pathOf = (path: SourcePath): SourcePath => ["resilience", ...path];
  const targets = checkSchema(resilienceSchema, source, { log, pathOf });
  if (targets === undefined) return { targets: {} };
  return { resilience: toPlain(source) as JsonObject, targets };
}

/** The rest of the topology, as far as policies refer to it. */
export interface TargetContext {
  readonly document: SourceNode;
  readonly log: ProblemLog;
  readonly plugins: PluginSettings;
  readonly supervision: SupervisorNode;
  readonly toolServers: Topology["toolServers"];
  /** Types of model providers whose default model is in their config. */
  readonly builtInTypes: readonly string[];
}

/**
 * Checks that policies are for what is there, and that fallbacks can be asked and end somewhere.
 *
 * @param targets The policies.
 * @param context What they refer to, and where faults go.
 */
export function checkTargets(targets: ResilienceSettings, context: TargetContext): void {
  const models = context.plugins.models.map(({ type, name = type }) => name);
  const toolServers = context.toolServers.map(({ name }) => name);
  checkNames(Object.keys(targets.models ?? {}), {
    ...context,
    section: "models",
    what: "model provider",
    known: models,
  });
  checkNames(Object.keys(targets.tools ?? {}), {
    ...context,
    section: "tools",
    what: "tool server",
    known: toolServers,
  });
  checkAgents(Object.keys(targets.agents ?? {}), context);
  checkFallbacks(targets.models ?? {}, { ...context, known: models });
}

interface NameContext extends Pick<TargetContext, "document" | "log"> {
  readonly section: string;
  readonly what: string;
  readonly known: readonly string[];
}

function checkNames(names: readonly string[], context: NameContext): void {
  for (const name of names) {
    if (!context.known.includes(name))
      refuseName(name, ["resilience", context.section, name], context);
  }
}

/** Says that there is nothing of a name, where it is written. */
function refuseName(
  name: string,
  path: SourcePath,
  { document, log, what, known }: Omit<NameContext, "section">,
): void {
  const nearest = nearestName(name, known);
  const found = locate(document, path);
  const list = known.length === 0 ? "; the topology has none" : `; there are ${known.join(", ")}`;
  log.problem({
    check: "references",
    path: formatPath(path),
    // A name is a key, or the value of one.
    ...(found.node.kind === "scalar" && found.node.value === name ? found.node.at : found.keyAt),
    message: `there is no ${what} "${name}"${didYouMean(name, known) || list}`,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

function checkAgents(
  names: readonly string[],
  { document, log, supervision }: TargetContext,
): void {
  const nodes = [...walkTree(supervision)];
  const agents = nodes.filter(
    (node) => !isSupervisorNode(node) && node.kind !== "dynamic_supervisor",
  );
  const known = agents.map((node) => node.name);
  const isDynamic = nodes.some((node) => node.kind === "dynamic_supervisor");
  for (const name of names) {
    const path = ["resilience", "agents", name];
    if (known.includes(name)) continue;
    const other = nodes.find((node) => node.name === name);
    const place = { check: "references" as const, path: formatPath(path) };
    const { keyAt } = locate(document, path);
    if (other !== undefined)
      log.problem({ ...place, ...keyAt, message: `"${name}" is a supervisor, wanted an agent` });
    else if (isDynamic && nearestName(name, known) === undefined)
      log.note({
        ...place,
        ...keyAt,
        message: `there is no agent "${name}" in the tree: it counts once one is spawned`,
      });
    else refuseName(name, path, { document, log, what: "agent", known });
  }
}

function checkFallbacks(
  policies: NonNullable<ResilienceSettings["models"]>,
  context: TargetContext & { readonly known: readonly string[] },
): void {
  const { document, log, plugins, known, builtInTypes } = context;
  const inLoop = new Set<string>();
  const fallbacks = (name: string): readonly string[] =>
    Object.hasOwn(policies, name) ? fallbacksOf(policies[name] ?? {}) : [];
  for (const [name, { fallback }] of Object.entries(policies)) {
    const path: SourcePath = ["resilience", "models", name, "fallback"];
    const loop = fallbackLoop(name, fallbacks);
    if (loop !== undefined && !inLoop.has(name)) {
      for (const each of loop) inLoop.add(each);
      const message = `the fallbacks come back to where they began: ${loop.join(" -> ")}`;
      log.problem({
        check: "references",
        path: formatPath(path),
        ...locate(document, path).node.at,
        message,
      });
    }
    fallbacks(name).forEach((each, index) => {
      const at = typeof fallback === "string" ? path : [...path, index];
      if (!known.includes(each)) {
        refuseName(each, at, { document, log, what: "model provider", known });
        return;
      }
      const entry = plugins.models.find(({ type, name: given = type }) => given === each);
      if (entry === undefined || !builtInTypes.includes(entry.type)) return;
      if (entry.config["default_model"] !== undefined) return;
      const message = `"${each}" has no default_model in its config: a fallback is asked for that`;
      log.problem({
        check: "references",
        path: formatPath(at),
        ...locate(document, at).node.at,
        message,
      });
    });
  }
}
