import type { z } from "zod";
import { Agent, keyed, type SupervisorSpec } from "../core/index.ts";
import { budgetField, budgetKeysAt, fields, type KindNode } from "../topology/index.ts";
import { budgetLabel } from "./budget-label.ts";
import { checkCredentials } from "./credentials.ts";
import { checkBackoff, instanceKeys, instanceOptions, instanceShape } from "./instance-settings.ts";
import type { BuildableKind } from "./kind.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { mapping, seconds, text, wholeMilliseconds, wholeNumber } = fields;

const keyedSettings = mapping({
  ...instanceShape,
  budget: budgetField(["run", "hour", "key"]).optional(),
  key: text("the name of a field of the payload").optional(),
  idle: seconds({ isZeroAllowed: false }).default(300),
  max_resident: wholeNumber({ min: 1 }).default(1000),
  max_waiting: wholeNumber({ min: 1 }).default(10_000),
  max_failed_keys: wholeNumber({ min: 0 }).default(100),
  cool_down: seconds({ isZeroAllowed: true }).default(60),
}).transform((given) => ({
  /** Path of a class derived from `Agent`. */
  classPath: given.class,
  credentials: given.credentials,
  options: {
    key: given.key,
    idleMs: wholeMilliseconds(given.idle),
    residentCountMax: given.max_resident,
    waitingCountMax: given.max_waiting,
    failedCountMax: given.max_failed_keys,
    coolDownMs: wholeMilliseconds(given.cool_down),
    ...instanceOptions(given),
    budget: given.budget,
  },
}));

type KeyedSettings = z.output<typeof keyedSettings>;

/** An agent with one object for each key: one conversation, one ticket, one customer. */
export const keyedKind: BuildableKind<KeyedSettings> = {
  name: "keyed",
  form: "settings",
  settings: keyedSettings,
  isServed: true,
  unquotedKeys: ["credentials"],
  *check({ settings }, { modelNames }) {
    yield* checkCredentials(settings, modelNames);
    yield* checkBackoff(settings.options);
  },
  draw: (_node, { classPath, options }) => ({
    label: `${classPath}  key: ${options.key ?? "named by the sender"}  max_resident: ${options.residentCountMax}${budgetLabel(options.budget)}`,
    marker: "keyed",
  }),
  keys: {
    class: "Path of the class, such as agents.Ticket or ./src/agents.ts#Ticket.",
    key: "Field of the payload, or path parameter, that holds the key. Without it senders name it: name/key.",
    idle: "Seconds without a message after which a key is passivated: its state is saved, its object goes.",
    max_resident: "Keys that have an object at one time at most.",
    max_waiting: "Keys that wait for a place at most; beyond it messages are refused.",
    max_failed_keys:
      "Keys out of their restarts at one time at most; one more is a crash of the whole.",
    cool_down: "Seconds for which a key out of its restarts refuses its messages.",
    max_restarts: "Crashes of one key allowed within restart_window.",
    ...instanceKeys,
    ...budgetKeysAt("budget"),
  },
  build: buildKeyed,
};

async function buildKeyed(
  node: KindNode<KeyedSettings>,
  loader: TreeLoader,
): Promise<SupervisorSpec> {
  const { classPath, credentials, options } = node.settings;
  const agentClass = await loader.loadSubclass(node, classPath, Agent);
  return keyed(agentClass, node.name, {
    ...options,
    credentials,
    process: node.process,
  });
}
