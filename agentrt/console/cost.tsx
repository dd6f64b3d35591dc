import type { ComponentChildren } from "preact";
import type { AgentCountersBody, BudgetBody } from "../src/control/wire.ts";
import { countText, untilText, usdText } from "./format.ts";
import { Facts, Table } from "./parts.tsx";

/** What an agent did, and what of which model it used. */
export function Uses({ counters }: { readonly counters: AgentCountersBody }) {
  const models = Object.entries(counters.models);
  const facts: (readonly [string, ComponentChildren])[] = [
    ["Handled", countText(counters.messages_handled)],
    ["Sent", countText(counters.messages_sent)],
    ["Mean time", `${Math.round(counters.avg_latency_ms * 10) / 10} ms`],
    ["Errors", countText(counters.errors)],
    ["Tokens in / out", `${countText(counters.tokens_in)} / ${countText(counters.tokens_out)}`],
    ["Cost", usdText(counters.cost_usd)],
  ];
  return (
    <>
      <Facts facts={facts} />
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
                `${usdText(use.cost_usd)}${use.unpriced_calls > 0 ? ` and ${use.unpriced_calls} calls without a price` : ""}`,
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}

/** Budgets, as bars of what is spent and what is held back. */
export function Budgets({ budgets }: { readonly budgets: readonly BudgetBody[] }) {
  if (budgets.length === 0) return null;
  return (
    <ul class="budgets" aria-label="Budgets">
      {budgets.flatMap((budget) => [
        <Bar key={`${budget.name} usd`} budget={budget} unit="usd" />,
        <Bar key={`${budget.name} tokens`} budget={budget} unit="tokens" />,
      ])}
    </ul>
  );
}

function Bar({ budget, unit }: { readonly budget: BudgetBody; readonly unit: "usd" | "tokens" }) {
  const limit = unit === "usd" ? budget.limit_usd : budget.limit_tokens;
  if (limit === null) return null;
  const used =
    unit === "usd"
      ? budget.spent_usd + budget.reserved_usd
      : budget.spent_tokens + budget.reserved_tokens;
  const show = unit === "usd" ? usdText : (count: number): string => `${countText(count)} tokens`;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const frees = budget.frees_at === null ? "" : `, free again ${untilText(budget.frees_at)}`;
  const text = `${show(used)} of ${show(limit)} per ${budget.per}${frees}`;
  return (
    <li>
      <span>{text}</span>
      <meter min={0} max={1} high={0.9} value={share} aria-label={text} />
    </li>
  );
}
