import type { JsonObject, JsonValue } from "../../core/index.ts";
import type { ToldEvent } from "../observing/index.ts";
import { askProcess } from "./ask-process.ts";
import { type FeedPageBody, feedQuestions, readFeedPage } from "./feed-page.ts";
import { textOf } from "./json-members.ts";
import { ownQuestion } from "./question.ts";
import { askFigures, type WholeSource } from "./whole-view.ts";

/** After a question that failed, milliseconds. */
const pauseMs = 500;

/**
 * Takes the events of all workers into the stream of this process, those of each worker in their order. A worker keeps what
 * it was not asked for, as much as any stream keeps: after a pause of the link nothing is missing, or the stream says how
 * much is.
 *
 * @param view Of the process that has the tree.
 */
export function followWorkers(view: WholeSource): void {
  view.elsewhere?.onPresent((process, processId) => {
    void new WorkerEvents(view, { process, processId }).run();
  });
}

/** The events of one process of a group, from when it is there until it is gone. */
class WorkerEvents {
  readonly #view: WholeSource;
  readonly #process: string;
  readonly #processId: string;

  constructor(
    view: WholeSource,
    { process, processId }: { readonly process: string; readonly processId: string },
  ) {
    this.#view = view;
    this.#process = process;
    this.#processId = processId;
  }

  async run(): Promise<void> {
    this.#say("worker.present", {});
    // What it had counted before it was met is not counted here.
    void askFigures(this.#view, this.#process);
    /** Empty for the first question: the worker knows what it has handed over. */
    let from = "";
    while (this.#isThere) {
      const page = await this.#ask(from);
      if (page === undefined) await this.#view.observer.pause(pauseMs);
      else {
        this.#publish(page);
        from = String(page.next);
      }
    }
    this.#say("worker.gone", {});
  }

  get #isThere(): boolean {
    return this.#view.elsewhere?.processIdOf(this.#process) === this.#processId;
  }

  async #ask(from: string): Promise<FeedPageBody | undefined> {
    try {
      const question = ownQuestion(feedQuestions.events, {
        from,
        letters: String(this.#view.observer.letters.countMax),
      });
      const { elsewhere: others } = this.#view;
      if (others === undefined) return undefined;
      const { status, body } = await askProcess({ others, process: this.#process }, question);
      return status === 200 ? readFeedPage(body) : undefined;
    } catch {
      // It is asked again as long as it is there.
      return undefined;
    }
  }

  #publish({ missed, items }: FeedPageBody): void {
    if (missed !== 0) this.#say("gap", { missed });
    for (const { data } of items) this.#view.observer.publishElsewhere(this.#read(data));
  }

  #read({ entry, body }: JsonObject): ToldEvent {
    const told = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
    const { type, agent } = told;
    return {
      type: textOf(type),
      agent: typeof agent === "string" ? agent : null,
      body: { ...told, process_id: this.#process },
      ...(typeof entry === "string" ? { entry } : {}),
    };
  }

  #say(type: string, fields: { readonly [name: string]: JsonValue }): void {
    this.#view.observer.publish(type, null, { ...fields, process_id: this.#process });
  }
}
