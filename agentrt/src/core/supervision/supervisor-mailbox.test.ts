import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../testing/seeded-random.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import type { Runnable } from "../ports/scheduler.ts";
import { StoreFaults } from "../ports/store-faults.ts";
import type { ChildDriver, ChildExit } from "../tree/child-driver.ts";
import type { Kernel } from "../tree/kernel.ts";
import { OwnerContext } from "../tree/owner-context.ts";
import { type RestartStrategy, supervisor } from "../tree/supervisor-spec.ts";
import { messageCountMaxPerChild, requestCountMax } from "./supervisor-engine.ts";
import { Supervisor } from "./supervisor.ts";

type Act = () => void;

/** A world in which nothing happens by itself: everything that could happen next is an act, done in any order. */
class World {
  /** Timers, starts and stops that may settle, crashes that may come. */
  readonly acts = new Set<Act>();
  /** The supervisor's mailbox, when it is ready. */
  ready: Runnable | undefined;
  /** True where no child crashes or fails to start. */
  isCalm = false;

  may(act: Act): Act {
    const once = (): void => {
      if (this.acts.delete(once)) act();
    };
    this.acts.add(once);
    return once;
  }

  /** Serves one message. */
  serve(): void {
    const { ready } = this;
    this.ready = undefined;
    ready?.run();
  }

  kernel(): Kernel {
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore, with: () => log };
    const system = {
      monotonicMs: () => 0,
      nowMs: () => 0,
      random: () => 0,
      yieldTurn: (callback: Act) => this.may(callback),
      setTimer: (_delayMs: number, callback: Act) => ({ timer: this.may(callback) }),
      clearTimer: ({ timer }: { timer: unknown }) => this.acts.delete(timer as Act),
    };
    const scheduler = { ready: (runnable: Runnable) => (this.ready = runnable) };
    const kernel: Pick<Kernel, "faultOwner" | "log" | "emit" | "storeFaults"> & {
      system: object;
      scheduler: object;
    } = {
      system: Object.assign(Object.create(VirtualClock.prototype) as VirtualClock, system),
      scheduler,
      log,
      faultOwner: new OwnerContext(),
      emit: ignore,
      storeFaults: new StoreFaults(),
    };
    return kernel as Kernel;
  }

  /** A child that starts, fails to start, crashes and stops when it is least expected. */
  driver(name: string): ChildDriver {
    let crash: Act | undefined;
    return {
      name,
      kind: "agent",
      isSuspended: false,
      isEnding: false,
      status: "RUNNING",
      start: (onExit: (exit: ChildExit) => void) =>
        new Promise((resolve, reject) => {
          const settle = (isStarted: boolean): void => {
            this.acts.delete(fine);
            this.acts.delete(broken);
            if (!isStarted) return reject(new Error("no start"));
            resolve();
            if (!this.isCalm)
              crash = this.may(() => onExit({ kind: "crashed", error: new Error("crash") }));
          };
          const fine = this.may(() => settle(true));
          const broken = this.isCalm ? ignore : this.may(() => settle(false));
        }),
      stop: () =>
        new Promise((resolve) => {
          if (crash !== undefined) this.acts.delete(crash);
          this.may(() => resolve([]));
        }),
      kill: ignore,
      settleDown: () => undefined,
      release: ignore,
      retire: ignore,
      describe: () => ({ restartCount: 0 }) as ReturnType<ChildDriver["describe"]>,
    };
  }
}

function ignore(): void {}

const names = ["a", "b", "c", "d", "e"];
const strategies: RestartStrategy[] = ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"];

/** A supervisor that starts, with a budget that never ends. */
function begin(world: World, strategy: RestartStrategy): Supervisor {
  const options = { strategy, backoffBaseMs: 0, restartCountMax: 2_000_000_000, children: [] };
  const drivers = names.map((name) => world.driver(name));
  const engine = new Supervisor(world.kernel(), supervisor("s", options), {
    drivers,
    isRoot: false,
  });
  engine.start(ignore).catch(ignore);
  return engine;
}

for (const strategy of strategies) {
  test(`${strategy}: whatever its children do, few messages of each wait for a supervisor`, async () => {
    let most = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = new SeededRandom(seed);
      const world = new World();
      const engine = begin(world, strategy);
      for (let step = 0; step < 600; step += 1) {
        const acts = [...world.acts];
        // The supervisor is slow: much happens between two messages that it serves.
        if (acts.length === 0 || random.below(6) === 0) world.serve();
        else acts[random.below(acts.length)]?.();
        // A stop that is asked again and again is one message.
        if (random.below(100) === 0 && step > 500) {
          for (let count = 0; count < 10; count += 1)
            void engine.stop({ deadlineMs: 1000 - count, isFinal: false });
        }
        await new Promise(setImmediate);
        most = Math.max(most, engine.waitingCount);
        assert.ok(engine.waitingCount <= messageCountMaxPerChild * names.length + 2);
      }
    }
    assert.ok(most > names.length, `the children were not busy: ${most}`);
  });
}

test("requests from outside beyond the maximum are refused until one of those that wait is answered", async () => {
  const world = new World();
  world.isCalm = true;
  const engine = begin(world, "ONE_FOR_ONE");
  while (engine.status !== "RUNNING") {
    world.serve();
    for (const act of world.acts) act();
    await new Promise(setImmediate);
  }
  const [first] = Array.from({ length: requestCountMax }, () => engine.reviveChild("a"));
  const refused = { code: "AGENTRT_SUPERVISION_TOO_MANY_REQUESTS" };
  await assert.rejects(engine.reviveChild("a"), refused);
  await assert.rejects(engine.stopChild("b"), refused);
  assert.equal(engine.waitingCount, requestCountMax);
  world.serve();
  await first;
  const next = engine.stopChild("b");
  const outcome = await Promise.race([next, Promise.resolve("it waits")]);
  assert.equal(outcome, "it waits");
  await assert.rejects(engine.reviveChild("a"), refused);
});
