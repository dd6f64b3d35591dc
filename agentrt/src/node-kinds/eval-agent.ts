import type { z } from "zod";
import { type ChildSpec, EvalAgent } from "../core/index.ts";
import { fields, type KindNode } from "../topology/index.ts";
import type { BuildableKind } from "./kind.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { anyMapping, list, mapping, seconds, textLike, wholeMilliseconds, wholeNumber } = fields;

const evalAgentSettings = mapping({
  max_corrections_per_window: wholeNumber({ min: 0 }).default(10),
  window_seconds: seconds({ isZeroAllowed: false }).default(60),
  exporters: list(anyMapping(), "a list of exporters").optional(),
  class: textLike(/^[^\s]+$/, "the path of a class, such as judges.Judge").optional(),
}).transform((given) => ({
  /** Path of a class derived from `EvalAgent`; undefined for the one that corrects nothing. */
  classPath: given.class,
  correctionCountMax: given.max_corrections_per_window,
  windowMs: wholeMilliseconds(given.window_seconds),
  exporters: given.exporters ?? [],
}));

type EvalAgentSettings = z.output<typeof evalAgentSettings>;

/** Where events go for which no agent is named. */
const defaultTarget = "eval_agent";

/** An agent that watches evaluation events and sends corrections. */
export const evalAgentKind: BuildableKind<EvalAgentSettings> = {
  name: "eval_agent",
  form: "settings",
  settings: evalAgentSettings,
  isServed: true,
  unservedKeys: [{ path: "exporters" }],
  *check({ name, settings }, tree) {
    if (settings.classPath === undefined) {
      const message = "without class it corrects nothing: name a class derived from EvalAgent";
      yield { path: [], isNote: true, message };
    }
    const hasDefault = tree.find(defaultTarget) !== undefined;
    const all = tree.names.filter((each) => tree.find(each)?.kind === "eval_agent");
    if (name === defaultTarget || (!hasDefault && all.length === 1)) return;
    const others = hasDefault
      ? `agents report to "${defaultTarget}"`
      : `of several eval agents none is called "${defaultTarget}"`;
    yield {
      path: [],
      isNote: true,
      message: `${others}: this one hears only what emitEval sends to "${name}" by its option evalAgent`,
    };
  },
  draw: (_node, settings) => ({
    label: `eval_agent  corrections: ${settings.correctionCountMax}/${settings.windowMs / 1000}s`,
  }),
  keys: {
    max_corrections_per_window: "Corrections sent within window_seconds at most.",
    class:
      "Path of a class derived from EvalAgent, such as judges.Judge; without it no agent is corrected.",
    window_seconds: "Length of the window, in seconds.",
    exporters: "Where evaluation events go.",
  },
  build: buildEvalAgent,
};

async function buildEvalAgent(
  node: KindNode<EvalAgentSettings>,
  loader: TreeLoader,
): Promise<ChildSpec> {
  const { evalAgent } = await import("../node-specs/index.ts");
  const { classPath, correctionCountMax, windowMs } = node.settings;
  const limits = { correctionCountMax, correctionWindowMs: windowMs, process: node.process };
  if (classPath === undefined) return evalAgent(node.name, limits);
  const agentClass = await loader.loadSubclass(node, classPath, EvalAgent);
  return evalAgent(node.name, { ...limits, agentClass });
}
