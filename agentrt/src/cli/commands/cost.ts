import { controlFlags } from "../control-flags.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  type Cell,
  clockOf,
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
      "tokens and USD of each agent by model, the dearest first, then of each model, then budgets",
    ],
    ["agentrt cost --json", "the same for a script"],
  ],
  run: async (input, io) => {
    const reader = await openControl(input, io);
    const snapshot = objectOf(await reader.ask("/snapshot"));
    const users = readUsers(snapshot["agents"]);
    const models = readUses(snapshot["models"]);
    const budgets = objectsOf(snapshot["budgets"]);
    if (input.isSet("json")) {
      const total = numberIn(snapshot["total_cost_usd"]);
      printJson(io, { agents: users, models, budgets, total_cost_usd: total });
    } else io.print(render({ users, models, budgets, snapshot }, io));
    return 0;
  },
};

/** What was used of one model. */
interface Use {
  readonly model: string;
  readonly calls: number;
  readonly unpriced_calls: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
}

/** What an agent has used, and of which models. */
interface User extends Use {
  readonly name: string;
  /** The one that it used last. */
  readonly model: string;
  readonly models: readonly Use[];
}

function readUsers(agents: unknown): User[] {
  return Object.entries(objectOf(agents))
    .map(([name, value]): User => {
      const counters = objectOf(value);
      const models = readUses(counters["models"]);
      return {
        name: textIn(name),
        model: textIn(counters["last_model"]),
        calls: models.reduce((sum, { calls }) => sum + calls, 0),
        unpriced_calls: models.reduce((sum, use) => sum + use.unpriced_calls, 0),
        tokens_in: numberIn(counters["tokens_in"]),
        tokens_out: numberIn(counters["tokens_out"]),
        cost_usd: numberIn(counters["cost_usd"]),
        models,
      };
    })
    .filter(({ models }) => models.length > 0)
    .toSorted(dearest);
}

function readUses(uses: unknown): Use[] {
  return Object.entries(objectOf(uses))
    .map(([model, value]): Use => {
      const use = objectOf(value);
      return {
        model: textIn(model),
        calls: numberIn(use["calls"]),
        unpriced_calls: numberIn(use["unpriced_calls"]),
        tokens_in: numberIn(use["tokens_in"]),
        tokens_out: numberIn(use["tokens_out"]),
        cost_usd: numberIn(use["cost_usd"]),
      };
    })
    .toSorted(dearest);
}

function dearest(a: Use, b: Use): number {
  return b.cost_usd - a.cost_usd || b.tokens_out - a.tokens_out;
}

const useColumns = [
  { title: "CALLS", isRight: true },
  { title: "TOKENS IN", isRight: true },
  { title: "TOKENS OUT", isRight: true },
  { title: "USD", isRight: true },
];

function useCells(use: Use): Cell[] {
  return [
    { text: String(use.calls) },
    { text: String(use.tokens_in) },
    { text: String(use.tokens_out) },
    {
      text: use.calls > 0 && use.calls === use.unpriced_calls ? "unknown" : use.cost_usd.toFixed(4),
    },
  ];
}

/** One line for an agent that uses one model; for any other its sum, and a line for each model. */
function rowsOf(user: User): Cell[][] {
  const row = (use: Use, model: string): Cell[] => [
    { text: user.name },
    { text: model },
    ...useCells(use),
  ];
  const byModel = user.models.map((use) => row(use, use.model));
  if (byModel.length === 1) return byModel;
  return [row(user, `(${byModel.length} models)`), ...byModel];
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
  if (models.length === 0 && budgets.length === 0) return "no agent has asked a model\n";
  const byAgent = drawTable(
    [{ title: "AGENT" }, { title: "MODEL" }, ...useColumns],
    users.flatMap(rowsOf),
    style.bold,
  );
  const byModel = drawTable(
    [{ title: "MODEL" }, ...useColumns],
    models.map((use) => [{ text: use.model }, ...useCells(use)]),
    style.bold,
  );
  const unpriced = models.reduce((sum, use) => sum + use.unpriced_calls, 0);
  const missing =
    unpriced === 0
      ? ""
      : `, without ${unpriced} ${unpriced === 1 ? "call" : "calls"} of unknown price`;
  const sum = numberIn(snapshot["total_cost_usd"]).toFixed(4);
  const total = `together ${sum} USD since the start${missing}\n`;
  const used = models.length === 0 ? [] : [byAgent, byModel];
  return [...used, ...limitsOf(budgets, style.bold), total].join("\n");
}

function limitsOf(
  budgets: readonly { readonly [name: string]: unknown }[],
  bold: (text: string) => string,
): string[] {
  if (budgets.length === 0) return [];
  const limits = budgets.map((budget): Cell[] => {
    const [limit, tokens] = [budget["limit_usd"], budget["limit_tokens"]];
    const freesAt = budget["frees_at"];
    return [
      { text: textIn(budget["name"]) },
      { text: textIn(budget["per"]) },
      { text: numberIn(budget["spent_usd"]).toFixed(4) },
      { text: typeof limit === "number" ? limit.toFixed(4) : "none" },
      { text: String(numberIn(budget["spent_tokens"])) },
      { text: typeof tokens === "number" ? String(tokens) : "none" },
      { text: typeof freesAt === "number" ? clockOf(freesAt) : "by a reset" },
    ];
  });
  const columns = [
    { title: "BUDGET" },
    { title: "PER" },
    { title: "SPENT USD", isRight: true },
    { title: "LIMIT USD", isRight: true },
    { title: "SPENT TOKENS", isRight: true },
    { title: "LIMIT TOKENS", isRight: true },
    { title: "BEGINS AGAIN" },
  ];
  return [drawTable(columns, limits, bold)];
}
