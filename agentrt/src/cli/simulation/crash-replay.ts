import type { BundleCrash, CrashBundle } from "../../crashes/index.ts";
import { ErrorParts } from "../../crashes/index.ts";
import { createRealSystem, type Log, supervisor } from "../../core/index.ts";
import type { SimulatedTree } from "../../composition/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { CrashAnswers } from "./crash-answers.ts";
import { freeSpec, recordedMessage, registerAbsent, specOf } from "./crash-tree.ts";

/** What came of a replay. */
export interface CrashReplay {
  /** What the agent crashed with now; undefined where it did not. */
  readonly found: BundleCrash | undefined;
  /** True where it is the same error, at the same place. */
  readonly isRepeated: boolean;
  /** Messages that it was given. */
  readonly messageCount: number;
  /** In which way it was not as recorded. */
  readonly notes: readonly string[];
}

/** Virtual time that passes after the last message at most, and timers that fire, before the replay gives up. */
const [tailMs, stepCountMax] = [60_000, 100_000] as const;
/** Real time for which code is waited for that waits for the real world, and how often one looks. */
const [outsideMs, outsidePollMs] = [2000, 20] as const;

const nothing = (): void => undefined;
const deafLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => deafLog,
  isEnabled: () => false,
};

/**
 * Replays a crash under virtual time: the agent begins with the recorded state, gets the recorded messages, and what it asks
 * is answered as recorded. Nobody else of its tree runs.
 *
 * @param bundle The record.
 * @param tree Has the agent.
 * @param projectFolder Absolute; places count from it.
 * @returns What came of it; undefined where the tree does not name the agent.
 */
export async function replayCrash(
  bundle: CrashBundle,
  tree: SimulatedTree,
  projectFolder: string,
): Promise<CrashReplay | undefined> {
  const spec = specOf(tree.supervision, bundle.agent);
  return spec === undefined ? undefined : await new Replay(bundle, tree, projectFolder).run();
}

/** One replay. */
class Replay {
  readonly #bundle: CrashBundle;
  readonly #clock: VirtualClock;
  readonly #startMs: number;
  readonly #answers: CrashAnswers;
  readonly #runtime: Runtime;
  readonly #store = new MemoryStateStore();
  readonly #parts: ErrorParts;
  readonly #notes = new Set<string>();
  #found: BundleCrash | undefined;

  constructor(bundle: CrashBundle, tree: SimulatedTree, projectFolder: string) {
    this.#bundle = bundle;
    const [first] = bundle.messages;
    this.#startMs = 1000 * (first?.timestamp ?? bundle.timestamp);
    this.#clock = new VirtualClock({ startMs: this.#startMs });
    this.#answers = new CrashAnswers(bundle, this.#clock);
    // What it gets has placeholders already.
    const asItIs = { text: (text: string) => text, json: (value: unknown) => value };
    this.#parts = new ErrorParts(projectFolder, asItIs);
    const spec = specOf(tree.supervision, bundle.agent);
    const limits = { restartCountMax: 0, backoffBaseMs: 0 };
    const children = spec === undefined ? [] : [freeSpec(spec)];
    this.#runtime = new Runtime({
      supervision: supervisor("agentrt.replay", { ...limits, children }),
      system: this.#clock,
      scheduler: this.#clock.scheduler,
      transport: this.#answers.transport(),
      state: this.#store,
      log: deafLog,
      models: this.#answers.models(),
      tools: this.#answers.tools(),
      loadClass: tree.loadClass,
    });
    const senders = bundle.messages.map(({ sender }) => sender);
    const more = [...this.#answers.agentNames, ...senders];
    registerAbsent(this.#runtime.registry, { root: tree.supervision, more });
    this.#runtime.onEvent((event) => {
      if (event.type !== "agent.crashed" || event.name !== bundle.agent) return;
      this.#found ??= this.#parts.crash(event.error);
    });
  }

  async run(): Promise<CrashReplay> {
    const { agent, checkpoint, replay, state } = this.#bundle;
    const begun = replay.from === "checkpoint" ? checkpoint.before.state : state;
    if (begun !== null) await this.#store.set(agent, begun);
    const started = this.#clock.world.run(() => this.#runtime.start());
    started.catch(nothing);
    await this.#clock.settle(started);
    const messageCount = await this.#giveMessages();
    const draws = this.#clock.world.drawCount;
    const stop = this.#runtime.stop({ timeoutMs: 0 });
    await this.#clock.settle(stop);
    const found = this.#found;
    if (draws > 0)
      this.#notes.add("it draws by chance (Math.random, crypto), which is not recorded");
    const notes = [...this.#notes, ...this.#answers.notes];
    return { found, isRepeated: isSame(this.#bundle.error, found), messageCount, notes };
  }

  /** @returns How many it was given. */
  async #giveMessages(): Promise<number> {
    const { agent, messages, message, replay, timestamp } = this.#bundle;
    const isWhole = replay.from === "checkpoint" || message === null;
    let count = 0;
    for (const each of isWhole ? messages : [message]) {
      if (this.#found !== undefined) return count;
      const waitMs = each.timestamp * 1000 - this.#clock.nowMs();
      if (waitMs > 0) await this.#clock.advance(waitMs);
      const given = recordedMessage(each, agent, this.#clock.monotonicMs());
      void this.#runtime.registry.get(agent)?.address?.accept(given, undefined);
      count += 1;
      await this.#clock.runUntilIdle();
      if (this.#isOneByOne) await this.#untilAtRest();
    }
    const endMs = Math.max(timestamp * 1000 - this.#startMs, this.#clock.monotonicMs()) + tailMs;
    for (let step = 0; step < stepCountMax && this.#found === undefined; step += 1)
      if (!(await this.#clock.fireNextTimer(endMs)) && !(await this.#untilAtRest())) break;
    return count;
  }

  get #isOneByOne(): boolean {
    return this.#runtime.agentNode(this.#bundle.agent)?.concurrency === 1;
  }

  get #isBusy(): boolean {
    const node = this.#runtime.agentNode(this.#bundle.agent);
    return (
      this.#found === undefined && node !== undefined && node.busyCount + node.mailboxDepth > 0
    );
  }

  /** Lets time pass until no message is at hand. @returns Whether something happened. */
  async #untilAtRest(): Promise<boolean> {
    const real = createRealSystem();
    let hasMoved = false;
    let leftMs = outsideMs;
    for (let step = 0; step < stepCountMax && this.#isBusy; step += 1) {
      if (await this.#clock.fireNextTimer()) {
        hasMoved = true;
        continue;
      }
      if (leftMs <= 0) {
        this.#notes.add("it waits for something that is not recorded");
        return hasMoved;
      }
      this.#notes.add("it waits for the outside world, which is not recorded");
      await new Promise<void>((resolve) => void real.setTimer(outsidePollMs, resolve));
      leftMs -= outsidePollMs;
      await this.#clock.runUntilIdle();
    }
    return hasMoved;
  }
}

/** The same error, thrown at the same place, with the same line on top of its stack where that is not our own. */
function isSame(recorded: BundleCrash, found: BundleCrash | undefined): boolean {
  const topOf = ({ stack }: BundleCrash): string | undefined =>
    stack[0]?.includes("agentrt:") === true ? undefined : stack[0];
  return (
    found !== undefined &&
    found.name === recorded.name &&
    found.code === recorded.code &&
    found.message === recorded.message &&
    found.at === recorded.at &&
    topOf(found) === topOf(recorded)
  );
}
