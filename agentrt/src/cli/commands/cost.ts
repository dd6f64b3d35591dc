import { controlFlags } from "../control-flags.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  type Cell,
  drawTable,
  numberIn,
  objectOf,
  objectsOf,
  openControl,
  printJson,
  textIn,
} from "../watching/index.ts";

/** `agentrt cost`. */
export const costCommand: CommandSpec = {
  words: ["cost"],
  summary: "say what the agents of a running topology have used of models, and their budgets",
  flags: [...controlFlags],
  examples: [
    [
      "agentrt cost",
      "tokens and USD of each agent, the dearest first, then of each model, then budgets",
    ],
    ["agentrt cost --json", "the same for a script"],
  ],
  run: async (input, io) => {
    const reader = await openControl(input, io);
    const snapshot = objectOf(await reader.ask("/snapshot"));
    const users = readUsers(snapshot["agents"]);
    const models = sumByModel(users);
    const budgets = objectsOf(snapshot["budgets"]);
    if (input.isSet("json")) {
      const total = numberIn(snapshot["total_cost_usd"]);
      printJson(io, { agents: users, models, budgets, total_cost_usd: total });
    } else io.print(render({ users, models, budgets, snapshot }, io));
    return 0;
  },
};

/** What somebody has used. */
interface Use {
  readonly model: string;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
}

interface User extends Use {
  readonly name: string;
}

function readUsers(agents: unknown): User[] {
  return Object.entries(objectOf(agents))
    .map(([name, counters]): User => {
      const {
        tokens_in: tokensIn,
        tokens_out: tokensOut,
        cost_usd: cost,
        last_model: model,
      } = objectOf(counters);
      return {
        name: textIn(name),
        model: textIn(model),
        tokens_in: numberIn(tokensIn),
        tokens_out: numberIn(tokensOut),
        cost_usd: numberIn(cost),
      };
    })
    .filter(({ model, tokens_in: tokensIn, cost_usd: cost }) => model !== "" || tokensIn + cost > 0)
    .toSorted((a, b) => b.cost_usd - a.cost_usd || b.tokens_out - a.tokens_out);
}

function sumByModel(users: readonly User[]): Use[] {
  const sums = new Map<string, Use>();
  for (const { model, ...use } of users) {
    const before = sums.get(model) ?? { tokens_in: 0, tokens_out: 0, cost_usd: 0 };
    sums.set(model, {
      model,
      tokens_in: before.tokens_in + use.tokens_in,
      tokens_out: before.tokens_out + use.tokens_out,
      cost_usd: before.cost_usd + use.cost_usd,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.cost_usd - a.cost_usd);
}

const useColumns = [
  { title: "TOKENS IN", isRight: true },
  { title: "TOKENS OUT", isRight: true },
  { title: "USD", isRight: true },
];

function useCells(use: Use): Cell[] {
  return [
    { text: String(use.tokens_in) },
    { text: String(use.tokens_out) },
    { text: use.cost_usd.toFixed(4) },
  ];
}

function render(
  of: {
    readonly users: readonly User[];
    readonly models: readonly Use[];
    readonly budgets: readonly { readonly [name: string]: unknown }[];
    readonly snapshot: { readonly [name: string]: unknown };
  },
  { style }: CommandIo,
): string {
  const { users, models, budgets, snapshot } = of;
  if (users.length === 0 && budgets.length === 0) return "no agent has asked a model\n";
  const byAgent = drawTable(
    [{ title: "AGENT" }, { title: "LAST MODEL" }, ...useColumns],
    users.map((user) => [{ text: user.name }, { text: user.model }, ...useCells(user)]),
    style.bold,
  );
  const byModel = drawTable(
    [{ title: "MODEL" }, ...useColumns],
    models.map((use) => [{ text: use.model }, ...useCells(use)]),
    style.bold,
  );
  const limits = budgets.map((budget): Cell[] => {
    const limit = budget["limit_usd"];
    return [
      { text: textIn(budget["name"]) },
      { text: textIn(budget["per"]) },
      { text: numberIn(budget["spent_usd"]).toFixed(4) },
      { text: typeof limit === "number" ? limit.toFixed(4) : "none" },
    ];
  });
  const columns = [
    { title: "BUDGET" },
    { title: "PER" },
    { title: "SPENT USD", isRight: true },
    { title: "LIMIT USD", isRight: true },
  ];
  const total = `together ${numberIn(snapshot["total_cost_usd"]).toFixed(4)} USD since the start\n`;
  const parts = [
    byAgent,
    byModel,
    ...(limits.length === 0 ? [] : [drawTable(columns, limits, style.bold)]),
    total,
  ];
  return parts.join("\n");
}
