import type { z } from "zod";
import { child, type ChildSpec } from "../core/index.ts";
import { builtInClassNames, rateLimitFaults } from "../gateway-settings/index.ts";
import { budgetField, fields, type KindNode } from "../topology/index.ts";
import { limitOptions, limitShape } from "./agent-limits.ts";
import { budgetLabel } from "./budget-label.ts";
import { checkCredentials, credentialsSchema } from "./credentials.ts";
import type { BuildableKind } from "./kind.ts";
import type { AgentBase } from "./require-subclass.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { anyMapping, list, mapping, text, wholeNumber } = fields;

const classNames: readonly string[] = builtInClassNames;
const [rateLimiterPath] = builtInClassNames;

const classSettings = mapping({
  config: anyMapping().nullish(),
  concurrency: wholeNumber({ min: 1 }).optional(),
  ...limitShape,
  capabilities: list(text(), "a list of strings").optional(),
  capability_metadata: anyMapping().optional(),
  credentials: credentialsSchema().optional(),
  budget: budgetField(["run", "hour"]).optional(),
  public_key: text("a base64 string").optional(),
}).transform((given) => ({
  /** Handed to the agent as `this.config`. */
  config: given.config ?? Object.freeze({}),
  concurrency: given.concurrency,
  limits: limitOptions(given),
  capabilities: given.capabilities ?? [],
  capabilityMetadata: given.capability_metadata ?? Object.freeze({}),
  /** Environment variables that hold this agent's own keys, by model provider. */
  credentials: given.credentials,
  budget: given.budget,
}));

/** Settings of a node that names a user's class. */
export type ClassSettings = z.output<typeof classSettings>;

/** In what a kind of node with a user's class differs from the others. */
interface ClassKindOptions {
  readonly name: string;
  /** What the class must extend. */
  readonly base: AgentBase;
  /** In brackets, where the tree is drawn. */
  readonly marker?: string;
}

/**
 * Makes a kind of node that names a user's class.
 *
 * @param options Its name, and what its classes extend.
 */
export function classKind({ name, base, marker }: ClassKindOptions): BuildableKind<ClassSettings> {
  return {
    name,
    form: "class",
    settings: classSettings,
    isServed: true,
    unservedKeys: [{ path: "public_key" }],
    unquotedKeys: ["credentials"],
    *check({ type, settings }, { modelNames }) {
      yield* checkCredentials(settings, modelNames);
      if (type !== rateLimiterPath) return;
      for (const { key, found, wanted } of rateLimitFaults(settings.config))
        yield { path: ["config", key], message: `found ${found}, wanted ${wanted}` };
    },
    // The runtime's own classes are named like user classes.
    isTypeServed: (type) => classNames.includes(type) || !/^agentrt[.#]/.test(type),
    draw: (node, { budget }) => ({
      label: `${node.type ?? ""}${budgetLabel(budget)}`,
      ...(marker === undefined ? {} : { marker }),
    }),
    build: (node, loader) => buildClassNode(node, loader, base),
  };
}

async function buildClassNode(
  node: KindNode<ClassSettings>,
  loader: TreeLoader,
  base: AgentBase,
): Promise<ChildSpec> {
  const { config, capabilities, capabilityMetadata, concurrency, limits, credentials, budget } =
    node.settings;
  const type = node.type ?? "";
  const agentClass = await loader.loadSubclass(node, type, base);
  return child(agentClass, node.name, {
    config,
    capabilities,
    capabilityMetadata,
    concurrency,
    ...limits,
    credentials,
    budget,
    process: node.process,
  });
}
