import type { AgentCountersBody, BudgetBody } from "../src/control/wire.ts";
import { countText, untilText, usdText } from "./format.ts";
import { Facts, Table } from "./parts.tsx";

/** What is counted of an agent, and of the members of a pool together. */
type Counted = Pick<
  AgentCountersBody,
  "messages_handled" | "avg_latency_ms" | "errors" | "tokens_in" | "tokens_out" | "cost_usd"
>;

/** What an agent or a pool did. */
export function Work({ counted }: { readonly counted: Counted }) {
  return (
    <Facts
      facts={[
        ["Handled", countText(counted.messages_handled)],
        ["Mean time", `${Math.round(counted.avg_latency_ms * 10) / 10} ms`],
        ["Errors", countText(counted.errors)],
        ["Tokens in / out", `${countText(counted.tokens_in)} / ${countText(counted.tokens_out)}`],
        ["Cost", usdText(counted.cost_usd)],
      ]}
    />
  );
}

/** What an agent did, and what of which model it used. */
export function Uses({ counters }: { readonly counters: AgentCountersBody }) {
  const models = Object.entries(counters.models);
  return (
    <>
      <Work counted={counters} />
      {models.length === 0 ? null : (
        <Table
          label="Use of models"
          rows={models}
          keyOf={([name]) => name}
          columns={[
            { name: "Model", show: ([name]) => name },
            { name: "Calls", show: ([, use]) => countText(use.calls), isNumber: true },
            {
              name: "Tokens",
              show: ([, use]) => countText(use.tokens_in + use.tokens_out),
              isNumber: true,
            },
            {
              name: "Cost",
              show: ([, use]) =>
                `${usdText(use.cost_usd)}${use.unpriced_calls > 0 ? `, ${countText(use.unpriced_calls)} unpriced` : ""}`,
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}

/** Budgets of an agent and of what is above it, as bars of what is spent and what is held back. */
export function Budgets(of: { readonly budgets: readonly BudgetBody[]; readonly of: string }) {
  const { budgets } = of;
  if (budgets.length === 0) return null;
  return (
    <ul class="budgets" aria-label="Budgets">
      {budgets.flatMap((budget) => [
        <Bar key={`${budget.name} usd`} budget={budget} unit="usd" of={of.of} />,
        <Bar key={`${budget.name} tokens`} budget={budget} unit="tokens" of={of.of} />,
      ])}
    </ul>
  );
}

function Bar(of: {
  readonly budget: BudgetBody;
  readonly unit: "usd" | "tokens";
  readonly of: string;
}) {
  const { budget, unit } = of;
  const limit = unit === "usd" ? budget.limit_usd : budget.limit_tokens;
  if (limit === null) return null;
  const used =
    unit === "usd"
      ? budget.spent_usd + budget.reserved_usd
      : budget.spent_tokens + budget.reserved_tokens;
  const show = unit === "usd" ? usdText : (count: number): string => `${countText(count)} tokens`;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const frees = budget.frees_at === null ? "" : `, free again ${untilText(budget.frees_at)}`;
  const whose = budget.name === of.of ? "" : ` for all of ${budget.name}`;
  const text = `${show(used)} of ${show(limit)} per ${budget.per}${whose}${frees}`;
  return (
    <li>
      <span>{text}</span>
      <meter min={0} max={1} high={0.9} value={share} aria-label={text} />
    </li>
  );
}
