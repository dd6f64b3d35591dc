import type { BudgetReport } from "./budget-report.ts";

/** What happened to a budget; a warning and the first refusal at most once a period. */
export type BudgetEvent =
  | {
      /** 80 % are spent. */
      readonly type: "budget.warning";
      readonly name: string;
      readonly atMs: number;
      readonly budget: BudgetReport;
    }
  | {
      /** It begins again with nothing spent, because somebody asked for it. */
      readonly type: "budget.reset";
      readonly name: string;
      readonly atMs: number;
      readonly budget: BudgetReport;
    }
  | {
      /** It is used up, and a call was refused. */
      readonly type: "budget.exceeded";
      readonly name: string;
      /** Who wanted to call. */
      readonly agent: string;
      readonly atMs: number;
      readonly budget: BudgetReport;
    };
