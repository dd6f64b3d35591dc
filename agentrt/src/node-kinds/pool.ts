import type { z } from "zod";
import { Agent, memberCountLimit, pool, type SupervisorSpec } from "../core/index.ts";
import { budgetField, budgetKeysAt, fields, type KindNode } from "../topology/index.ts";
import { budgetLabel } from "./budget-label.ts";
import { checkCredentials } from "./credentials.ts";
import { checkBackoff, instanceKeys, instanceOptions, instanceShape } from "./instance-settings.ts";
import type { BuildableKind } from "./kind.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { mapping, seconds, wholeMilliseconds, wholeNumber } = fields;

const memberCount = () => wholeNumber({ min: 1, max: memberCountLimit });

const poolSettings = mapping({
  ...instanceShape,
  budget: budgetField(["run", "hour"]).optional(),
  size: memberCount().optional(),
  min: memberCount().optional(),
  max: memberCount().optional(),
  scale_after: seconds({ isZeroAllowed: true }).default(1),
  idle: seconds({ isZeroAllowed: false }).default(60),
})
  .superRefine((given, context) => {
    const refuse = (key: string, message: string): void => {
      context.addIssue({ code: "custom", path: [key], message });
    };
    const { size, min = 1, max } = given;
    if (size === undefined && max === undefined)
      refuse("size", "a number of members, unless there is max");
    if (size !== undefined && (max !== undefined || given.min !== undefined)) {
      refuse("size", "none next to min and max");
    } else if (max !== undefined && min > max) refuse("min", "at most max");
  })
  .transform((given) => ({
    /** Path of a class derived from `Agent`. */
    classPath: given.class,
    credentials: given.credentials,
    options: {
      size: given.size,
      memberCountMin: given.min,
      memberCountMax: given.max,
      scaleAfterMs: wholeMilliseconds(given.scale_after),
      idleMs: wholeMilliseconds(given.idle),
      ...instanceOptions(given),
      budget: given.budget,
    },
  }));

type PoolSettings = z.output<typeof poolSettings>;

/** Several objects of one class behind one name and one mailbox. */
export const poolKind: BuildableKind<PoolSettings> = {
  name: "pool",
  form: "settings",
  settings: poolSettings,
  isServed: true,
  unquotedKeys: ["credentials"],
  impliedNames: (name, { options }) =>
    Array.from({ length: mostOf(options) }, (_, index) => `${name}/${index + 1}`),
  *check({ settings }, { modelNames }) {
    yield* checkCredentials(settings, modelNames);
    yield* checkBackoff(settings.options);
  },
  draw: (_node, { classPath, options }) => ({
    label: `${classPath}  size: ${sizeOf(options)}${budgetLabel(options.budget)}`,
    marker: "pool",
  }),
  keys: {
    class: "Path of the class, such as agents.Writer or ./src/agents.ts#Writer.",
    size: "How many members there are, in place of min and max.",
    min: "Members that are always there.",
    max: "Members at one time at most.",
    scale_after: "Seconds that a message waits before it brings one more member, up to max.",
    idle: "Seconds without a message after which a member is stopped, down to min.",
    max_restarts: "Crashes of any member allowed within restart_window; one more fails upward.",
    ...instanceKeys,
    ...budgetKeysAt("budget"),
  },
  build: buildPool,
};

function mostOf({ size, memberCountMax }: PoolSettings["options"]): number {
  return size ?? memberCountMax ?? 1;
}

function sizeOf(options: PoolSettings["options"]): string {
  const { size, memberCountMin = 1 } = options;
  return size === undefined ? `${memberCountMin}…${mostOf(options)}` : String(size);
}

async function buildPool(
  node: KindNode<PoolSettings>,
  loader: TreeLoader,
): Promise<SupervisorSpec> {
  const { classPath, credentials, options } = node.settings;
  const agentClass = await loader.loadSubclass(node, classPath, Agent);
  return pool(agentClass, node.name, { ...options, credentials, process: node.process });
}
