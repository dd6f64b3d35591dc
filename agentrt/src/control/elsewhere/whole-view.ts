import type { Elsewhere } from "../../runtime/index.ts";
import {
  type CountedRuntime,
  type CountedWhole,
  figuresQuestion,
  readFigures,
  wholeOf,
} from "../figures/index.ts";
import type { Observer } from "../observing/index.ts";
import { askProcess } from "./ask-process.ts";
import { ownQuestion } from "./question.ts";

/** The process that has the tree. */
export interface WholeSource extends CountedRuntime {
  readonly elsewhere?: Elsewhere | undefined;
  readonly observer: Observer;
}

/**
 * Asks all workers for their figures, and puts them together with those of this process.
 *
 * @param view This process.
 * @param waitMs How long they may take: of one that needs more the last figures are taken.
 */
export async function wholeView(view: WholeSource, waitMs: number): Promise<CountedWhole> {
  const { elsewhere: others, observer } = view;
  const { figures } = observer;
  if (others === undefined) return wholeOf(view, figures, []);
  const fresh = new Set<string>();
  const asked = others.present().map(async (process) => {
    if (await askFigures(view, process)) fresh.add(process);
  });
  await observer.within(Promise.all(asked), waitMs);
  const present = new Set(others.present());
  const workers = others.groups().map((group) => ({
    group,
    isFresh: fresh.has(group),
    latest: present.has(group) ? figures.latest(group) : undefined,
  }));
  return wholeOf(view, figures, workers);
}

/**
 * Asks one worker for its figures, and keeps them.
 *
 * @returns Whether it has answered.
 */
export async function askFigures(view: WholeSource, process: string): Promise<boolean> {
  const { elsewhere: others, observer } = view;
  if (others === undefined) return false;
  const processId = others.processIdOf(process);
  let isAnswered = false;
  try {
    await observer.figures.refresh(`${process} ${processId ?? ""}`, async () => {
      const { body } = await askProcess({ others, process }, ownQuestion(figuresQuestion, {}));
      const figures = readFigures(body);
      if (figures === undefined) throw new TypeError("it has no figures");
      observer.figures.accept(process, figures, view.snapshot().uptimeMs);
    });
    isAnswered = true;
  } catch {
    // Its last figures are taken.
  }
  return isAnswered;
}
