import type { ModelUse } from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";
import type { Counters } from "../observing/index.ts";
import type { Family, Labels, Sample } from "./family-text.ts";

interface UseFamily {
  /** By agent and model. */
  readonly name: string;
  /** By model. */
  readonly sumName: string;
  readonly what: string;
  readonly valueOf: (use: ModelUse) => number;
}

const families: readonly UseFamily[] = [
  {
    name: "agentrt_llm_calls_total",
    sumName: "agentrt_model_calls_total",
    what: "Calls that models answered",
    valueOf: ({ calls }) => calls,
  },
  {
    name: "agentrt_llm_tokens_in_total",
    sumName: "agentrt_model_tokens_in_total",
    what: "Tokens that models read",
    valueOf: ({ tokensIn }) => tokensIn,
  },
  {
    name: "agentrt_llm_tokens_out_total",
    sumName: "agentrt_model_tokens_out_total",
    what: "Tokens that models wrote",
    valueOf: ({ tokensOut }) => tokensOut,
  },
  {
    name: "agentrt_llm_cost_usd_total",
    sumName: "agentrt_model_cost_usd_total",
    what: "What models cost in US dollars",
    valueOf: ({ costUsd }) => costUsd,
  },
];

/**
 * Makes the families of what was used of models: by agent and model of the agents that are there, and by model of all,
 * those that are gone included.
 *
 * @param agents Names and counters.
 * @param snapshot The counters of the runtime.
 */
export function modelFamilies(
  agents: readonly (readonly [string, Counters])[],
  snapshot: RuntimeSnapshot,
): Family[] {
  const byAgent = agents.flatMap(([agent, { byModel }]) =>
    Object.entries(byModel).map(([model, use]): [Labels, ModelUse] => [
      [
        ["agent", agent],
        ["model", model],
      ],
      use,
    ]),
  );
  const byModel = Object.entries(snapshot.models).map(([model, use]): [Labels, ModelUse] => [
    [["model", model]],
    use,
  ]);
  return families.flatMap(({ name, sumName, what, valueOf }): Family[] => {
    const samplesOf = (uses: readonly [Labels, ModelUse][]): Sample[] =>
      uses.map(([labels, use]) => ({ labels, value: valueOf(use) }));
    return [
      {
        name,
        type: "counter",
        help: `${what}, by agent and model.`,
        samples: samplesOf(byAgent),
      },
      {
        name: sumName,
        type: "counter",
        help: `${what}, by model, for agents that are gone, too.`,
        samples: samplesOf(byModel),
      },
    ];
  });
}
