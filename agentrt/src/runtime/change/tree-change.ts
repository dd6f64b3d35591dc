import {
  type AgentCell,
  type ChildSpec,
  type HeldChildren,
  type Kernel,
  reasonOf,
  Supervisor,
  supervisionErrors,
  type SupervisorSpec,
} from "../../core/index.ts";
import type { KernelPlace, TreeIndex } from "../tree-index.ts";
import { changeErrors } from "./errors.ts";
import { HeldTree } from "./held-tree.ts";
import { type PlacedNode, placedNodes } from "../placed-nodes.ts";
import { StateSaver } from "./state-saver.ts";

/** Another description for a tree that runs. */
export interface TreeDescription {
  /** The tree to run; its root has the name of the one that runs. */
  readonly supervision: SupervisorSpec;
  /** Names of nodes of both trees that are described differently. Those that run begin again; supervisors run on. */
  readonly changed: ReadonlySet<string>;
  /**
   * Those of them that stop before anything starts: they hold what another one is to get, such as a port. One that is gone
   * and has `giveUp` gives it up then, and ends when all has started.
   */
  readonly stopsFirst?: ReadonlySet<string> | undefined;
  /**
   * Those of them that may start again while what they were before still runs, where their spec has `giveUp`: what was
   * before ends when all has started. One that is in `stopsFirst`, too, gives up first what another one is to get.
   */
  readonly startsBeside?: ReadonlySet<string> | undefined;
  /** Those of `startsBeside` that hold what they are to get again themselves, and give it up right before. */
  readonly regains?: ReadonlySet<string> | undefined;
  /** Called when all has started, before what is gone ends for good; what it throws takes all back. */
  readonly confirm?: (() => Promise<void>) | undefined;
}

/** What a change is made of, besides the description. */
export interface TreeChangeHost {
  readonly tree: TreeIndex;
  readonly kernel: Kernel;
  /** @throws When the runtime does not run, or stops. */
  readonly refuseUnlessStarted: () => void;
  /** Settles when the runtime begins to stop. */
  readonly stopping: Promise<void>;
}

type Undo = () => Promise<void>;

/**
 * Puts another description in place of the one that runs: `ARCHITECTURE.md`, "A change of a running tree", has the steps.
 * Used once.
 */
export class TreeChange {
  readonly #host: TreeChangeHost;
  readonly #description: TreeDescription;
  readonly #old: ReadonlyMap<string, PlacedNode>;
  readonly #new: ReadonlyMap<string, PlacedNode>;
  readonly #places: ReadonlyMap<string, KernelPlace>;
  readonly #held: HeldTree;
  readonly #saver: StateSaver;
  /** What takes back each step that is done, in the order of the steps. */
  readonly #undo: Undo[] = [];
  readonly #lateNames: string[] = [];
  readonly #stoppedFirst = new Set<string>();
  /** What they were before still runs next to them. */
  readonly #beside = new Set<AgentCell>();
  /** Gone, and ending next to those that got what they had. */
  readonly #leaving: AgentCell[] = [];
  /** Nodes whose names others of another kind have got. */
  readonly #setAside: { readonly name: string; readonly drop: () => void }[] = [];

  /**
   * @param host What runs.
   * @param description What is to run.
   * @throws AGENTRT_CHANGE_ROOT_DIFFERS, AGENTRT_CHANGE_KIND_DIFFERS.
   */
  constructor(host: TreeChangeHost, description: TreeDescription) {
    this.#host = host;
    this.#description = description;
    const { tree, kernel } = host;
    const isPlaced = kernel.placement !== undefined;
    this.#old = placedNodes(tree.spec, isPlaced);
    this.#new = placedNodes(description.supervision, isPlaced);
    const root = this.#new.get(tree.spec.name);
    if (root?.parent !== undefined || root?.kind !== "supervisor") {
      const found = `"${description.supervision.name}"`;
      throw new changeErrors.ROOT_DIFFERS({ runtime: tree.spec.name, found });
    }
    for (const [name, { kind }] of this.#old) {
      // What has children cannot be stopped before others start: some of them may go on elsewhere.
      const hasChildren = kind === "supervisor" || kind === "dynamic";
      if (hasChildren && this.#isGone(name) && this.#new.has(name))
        throw new changeErrors.KIND_DIFFERS({ supervisor: name });
    }
    this.#places = tree.placesOf(description.supervision);
    this.#held = new HeldTree((name) => tree.findSupervisor(name));
    const cells = [...this.#old.keys()].flatMap((name) => {
      const isStopped = this.#isGone(name) || description.changed.has(name);
      const cell = isStopped ? tree.cells.get(name) : undefined;
      return cell === undefined ? [] : [cell];
    });
    this.#saver = new StateSaver(kernel, cells);
  }

  /**
   * Does it.
   *
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_CHANGE_START_FAILED, AGENTRT_CHANGE_STATE_NOT_SAVED: then all is as it was before;
   *   AGENTRT_SUPERVISION_HOLD_LOST, AGENTRT_SUPERVISION_NOT_STARTED when the runtime stops meanwhile.
   */
  async run(): Promise<readonly string[]> {
    this.#host.refuseUnlessStarted();
    await Promise.race([this.#saver.saveNow(), this.#host.stopping]);
    this.#host.refuseUnlessStarted();
    try {
      await this.#held.hold(this.#touched());
      this.#saver.watch();
      try {
        await this.#stopGone();
        await this.#giveUpFirst();
        await this.#startNew();
        await this.#confirm();
        await this.#endGoneDynamic();
      } catch (error) {
        if (!(error instanceof supervisionErrors.HOLD_LOST)) await this.#takeBack();
        throw error;
      }
      await this.#commit();
    } finally {
      this.#saver.release();
      // A stop has answered what is in the tree; what was set aside is not.
      if (this.#held.isLost) for (const { drop } of this.#setAside) drop();
      this.#held.release();
      // The lanes are free: what has requests at hand may take its time.
      await this.#endRest();
    }
    return this.#lateNames;
  }

  /** Not in the new tree, or as a node of another kind, or in another process. */
  #isGone(name: string): boolean {
    const [old, next] = [this.#old.get(name), this.#new.get(name)];
    return old?.kind !== next?.kind || old?.process !== next?.process;
  }

  async #confirm(): Promise<void> {
    const { confirm } = this.#description;
    if (confirm === undefined) return;
    await Promise.race([confirm(), this.#host.stopping]);
    this.#host.refuseUnlessStarted();
  }

  #isFresh(name: string): boolean {
    return this.#isGone(name);
  }

  /** The supervisors whose children change, and those above them, of both trees; each before those below it. */
  #touched(): string[] {
    const touched = new Set<string>();
    const touch = (name: string | undefined): void => {
      for (const nodes of [this.#old, this.#new])
        for (let at = name; at !== undefined; at = nodes.get(at)?.parent) touched.add(at);
    };
    for (const [name, { parent, kind }] of this.#old) {
      const isChanged = this.#description.changed.has(name);
      const isMoved = this.#new.get(name)?.parent !== parent;
      if (this.#isGone(name) || isChanged || isMoved) touch(parent);
      if (kind === "supervisor" && (this.#isGone(name) || isChanged || this.#isReordered(name)))
        touch(name);
    }
    for (const [name, { parent }] of this.#new)
      if (this.#isFresh(name) || this.#old.get(name)?.parent !== parent) touch(parent);
    return [...this.#old.entries()].flatMap(([name, { kind }]) =>
      kind === "supervisor" && touched.has(name) ? [name] : [],
    );
  }

  #isReordered(name: string): boolean {
    const before = childNames(this.#old.get(name));
    const after = childNames(this.#new.get(name));
    return before.length !== after.length || before.some((each, index) => each !== after[index]);
  }

  /**
   * Stops what is gone, last first, and sets aside what a node of another kind has the name of. Entrances go before all
   * others: what came in by them is answered by agents that still run.
   */
  async #stopGone(): Promise<void> {
    const { stopsFirst } = this.#description;
    const lastFirst = [...this.#old].reverse();
    const isEntrance = ([name]: (typeof lastFirst)[number]): boolean =>
      this.#cellWithGiveUp(name) !== undefined;
    const others = lastFirst.filter((node) => !isEntrance(node));
    for (const [name, { kind, parent }] of [...lastFirst.filter(isEntrance), ...others]) {
      if (parent === undefined || kind === "supervisor" || kind === "dynamic") continue;
      if (!this.#isGone(name) && (stopsFirst?.has(name) !== true || this.#besideCell(name)))
        continue;
      if (this.#leavingCell(name) !== undefined) continue;
      this.#host.refuseUnlessStarted();
      const held = this.#held.of(parent);
      const isWanted = held.isWanted(name);
      this.#stoppedFirst.add(name);
      this.#undo.push(async () => {
        if (isWanted) await this.#startAgain(held, name);
      });
      this.#lateNames.push(...(await held.stop(name)));
      this.#saver.refuseUnsaved(name);
      if (this.#isGone(name) && this.#new.has(name)) this.#putAside(held, name);
    }
  }

  /** The agent that can start again while it runs, if a node is one. */
  #besideCell(name: string): AgentCell | undefined {
    if (this.#description.startsBeside?.has(name) !== true || this.#isGone(name)) return undefined;
    return this.#cellWithGiveUp(name);
  }

  /** The agent that is gone and need only give up what it has before others start, if a node is one. */
  #leavingCell(name: string): AgentCell | undefined {
    if (this.#description.stopsFirst?.has(name) !== true || this.#new.has(name)) return undefined;
    return this.#cellWithGiveUp(name);
  }

  #cellWithGiveUp(name: string): AgentCell | undefined {
    const cell = this.#host.tree.cells.get(name);
    return cell?.canStartBeside === true ? cell : undefined;
  }

  /** What stops first and can run on next to what comes after it: it gives up what another one is to get. */
  async #giveUpFirst(): Promise<void> {
    for (const name of this.#description.stopsFirst ?? []) {
      const leaving = this.#leavingCell(name);
      const cell = leaving ?? this.#besideCell(name);
      if (cell === undefined) continue;
      this.#host.refuseUnlessStarted();
      if (leaving !== undefined) this.#leaving.push(leaving);
      this.#undo.push(async () => await this.#besideAgain(name, cell));
      await cell.giveUp();
    }
  }

  /** Starts what changed while what it was before runs on: that ends when the change is done, or taken back. */
  async #startBeside(name: string, cell: AgentCell): Promise<void> {
    const { spec, parent = "" } = this.#new.get(name) as PlacedNode;
    const { parent: oldParent = "" } = this.#old.get(name) as PlacedNode;
    const { stopsFirst, regains } = this.#description;
    const hasGivenUp = stopsFirst?.has(name) === true;
    const isToRegain = !hasGivenUp && regains?.has(name) === true;
    let hasBegun = false;
    this.#undo.push(async () => {
      const isKept = !hasGivenUp && !isToRegain;
      if (isKept) this.#describeAsBefore(name);
      if (isKept && !hasBegun) return;
      // What it got is free for who had it; where several have swapped, each of them starts again later.
      if (hasBegun) await cell.giveUp();
      if (isKept && cell.goBack()) return;
      if (!hasGivenUp) await this.#besideAgain(name, cell);
    });
    if (isToRegain) await cell.giveUp();
    this.#host.refuseUnlessStarted();
    // It stays in its place until all has started.
    this.#host.tree.describeAnew(spec, parent, this.#places);
    this.#host.tree.adopt(name, oldParent);
    this.#beside.add(cell);
    try {
      await cell.startBeside();
      hasBegun = true;
    } catch (error) {
      this.#held.refuseLost();
      throw startFailed(name, error);
    }
  }

  /** Starts again what has given up what it had. */
  async #besideAgain(name: string, cell: AgentCell): Promise<void> {
    const held = this.#held.of(this.#old.get(name)?.parent ?? "");
    this.#describeAsBefore(name);
    this.#beside.add(cell);
    try {
      if (cell.canStartBeside) return await cell.startBeside();
    } catch (error) {
      this.#held.refuseLost();
      this.#host.kernel.log.error(notStartedAgain, { agent: name, error });
    }
    this.#lateNames.push(...(await held.stop(name)));
    await this.#startAgain(held, name);
  }

  #describeAsBefore(name: string): void {
    const { tree } = this.#host;
    const { spec, parent = "" } = this.#old.get(name) as PlacedNode;
    tree.describeAnew(spec, parent, tree.places);
  }

  /** Ends what still runs next to what has come in its place. A stop of the runtime ends it, too. */
  async #endRest(): Promise<void> {
    const options = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };
    const ending = [
      ...[...this.#beside].map((cell) => cell.endBeside(options)),
      ...this.#leaving.map((cell) => cell.stop({ ...options, isFinal: true })),
    ];
    const late = await Promise.race([Promise.all(ending), this.#host.stopping]);
    this.#lateNames.push(...(late ?? []).flat());
  }

  #putAside(held: HeldChildren, name: string): void {
    const { tree } = this.#host;
    const taken = held.take(name);
    const { driver } = taken.slot;
    const back = tree.leave(name);
    const aside = {
      name,
      drop: (): void => {
        driver.retire();
        driver.settleDown(false);
        driver.release();
      },
    };
    this.#setAside.push(aside);
    this.#undo.push(async () => {
      this.#setAside.splice(this.#setAside.indexOf(aside), 1);
      back();
      held.put(taken);
    });
  }

  /** Starts what changed and what is new, one after the other, in the order of the new tree. */
  async #startNew(): Promise<void> {
    for (const [name, node] of this.#new) {
      if (node.parent === undefined) continue;
      if (this.#isFresh(name)) await this.#startFresh(node.parent, node.spec);
      else if (node.kind !== "supervisor" && node.kind !== "dynamic")
        if (this.#isChangedHere(name)) await this.#startAnew(name, node);
    }
  }

  /** Its process lets an agent of another process begin again. */
  #isChangedHere(name: string): boolean {
    const { tree } = this.#host;
    return this.#description.changed.has(name) && tree.findElsewhere(name) === undefined;
  }

  async #startAnew(name: string, node: PlacedNode): Promise<void> {
    const cell = this.#besideCell(name);
    await (cell === undefined ? this.#startChanged(name, node) : this.#startBeside(name, cell));
  }

  async #startFresh(parent: string, spec: ChildSpec): Promise<void> {
    const { tree } = this.#host;
    const { name } = spec;
    const held = this.#held.of(parent);
    const isSupervisor = this.#new.get(name)?.kind === "supervisor";
    // Its children are added one by one: some of them run already, elsewhere.
    const alone = isSupervisor && spec.kind === "supervisor" ? { ...spec, children: [] } : spec;
    let isHeldFirst: boolean;
    try {
      tree.refuseTaken(spec);
      const driver = tree.build(alone, parent, this.#places);
      isHeldFirst = driver.isHeldFirst === true;
      held.add(driver);
    } catch (error) {
      throw startFailed(name, error);
    }
    this.#undo.push(async () => {
      this.#held.letGo(name);
      this.#lateNames.push(...(await held.stop(name, { isFinal: true })));
      held.take(name).slot.driver.retire();
      tree.forget(name);
    });
    if (!isHeldFirst) await this.#start(held, name);
    if (isSupervisor) await this.#held.hold([name]);
  }

  async #startChanged(name: string, { spec, parent = "" }: PlacedNode): Promise<void> {
    const { tree } = this.#host;
    const { spec: oldSpec, parent: oldParent = "" } = this.#old.get(name) as PlacedNode;
    const from = this.#held.of(oldParent);
    const to = this.#held.of(parent);
    const isHeldBack = from.isHeldBack(name);
    const isWanted = !this.#stoppedFirst.has(name) && from.isWanted(name);
    let place = from;
    this.#undo.push(async () => {
      this.#lateNames.push(...(await place.stop(name)));
      if (place !== from) from.put(place.take(name));
      tree.describeAnew(oldSpec, oldParent, tree.places);
      if (isWanted) await this.#startAgain(from, name);
    });
    this.#lateNames.push(...(await from.stop(name)));
    this.#saver.refuseUnsaved(name);
    from.driverOf(name).settleDown(!isHeldBack);
    if (from !== to) to.put(from.take(name));
    place = to;
    tree.describeAnew(spec, parent, this.#places);
    if (!isHeldBack) await this.#start(to, name);
  }

  async #start(held: HeldChildren, name: string): Promise<void> {
    this.#host.refuseUnlessStarted();
    try {
      // A stop of the runtime does not wait for a start: what waits for agents that were stopped is handled before it.
      await Promise.race([held.start(name), this.#host.stopping]);
      this.#host.refuseUnlessStarted();
    } catch (error) {
      if (isOfStop(error)) throw error;
      throw startFailed(name, error);
    }
  }

  /** Starts what ran before. If that does not start, its supervisor decides, as about a crash. */
  async #startAgain(held: HeldChildren, name: string): Promise<void> {
    try {
      await held.start(name);
    } catch (error) {
      if (error instanceof supervisionErrors.HOLD_LOST) throw error;
      this.#host.kernel.log.error(notStartedAgain, { agent: name, error });
      held.reportCrash(name, error);
    }
  }

  /** Takes back what was done, last first. */
  async #takeBack(): Promise<void> {
    this.#leaving.length = 0;
    try {
      for (const undo of this.#undo.reverse()) await undo();
      const { tree } = this.#host;
      tree.settle(tree.spec, tree.places);
      for (const name of this.#held.names)
        this.#held.of(name).arrange(childNames(this.#old.get(name)));
    } catch (error) {
      // A stop of the runtime came: it stops all that there is.
      if (!(error instanceof supervisionErrors.HOLD_LOST)) throw error;
    }
  }

  /** What was spawned cannot be spawned again: it ends when nothing can fail any more. */
  async #endGoneDynamic(): Promise<void> {
    for (const [name, { kind, parent }] of [...this.#old].reverse()) {
      if (kind !== "dynamic" || parent === undefined || !this.#isGone(name)) continue;
      this.#lateNames.push(...(await this.#held.of(parent).stop(name, { isFinal: true })));
    }
  }

  async #commit(): Promise<void> {
    const { tree } = this.#host;
    this.#held.refuseLost();
    const gone = this.#takeGone();
    for (const [name, { parent, kind, spec }] of this.#new) {
      if (parent === undefined || this.#isFresh(name)) continue;
      const before = tree.findParent(name)?.name ?? parent;
      if (before !== parent) this.#held.of(parent).put(this.#held.of(before).take(name));
      tree.adopt(name, parent);
      const isElsewhere = tree.findElsewhere(name) !== undefined;
      if (kind === "dynamic" || (isElsewhere && this.#description.changed.has(name)))
        tree.describeAnew(spec, parent, this.#places);
    }
    for (const name of this.#held.names) {
      const node = this.#new.get(name);
      if (node?.spec.kind !== "supervisor" || gone.has(name)) continue;
      this.#held.of(name).arrange(childNames(node));
      this.#held.of(name).setLimits(node.spec);
    }
    tree.settle(this.#description.supervision, this.#places);
    for (const { drop } of this.#setAside) drop();
    for (const [name, driver] of [...gone].reverse()) {
      this.#held.letGo(name);
      await driver.stop({ deadlineMs: Number.POSITIVE_INFINITY, isFinal: true });
    }
  }

  /** Takes what is gone out of the tree. @returns The supervisors among it, which still run. */
  #takeGone(): Map<string, Supervisor> {
    const { tree } = this.#host;
    const supervisors = new Map<string, Supervisor>();
    const leaving = new Set(this.#leaving.map((cell) => cell.name));
    // What goes on is taken out of a supervisor that does not, before that is forgotten.
    for (const [name, { parent }] of this.#old) {
      const to = this.#new.get(name)?.parent;
      if (this.#isGone(name) || parent === undefined || to === undefined) continue;
      const before = tree.findParent(name)?.name ?? parent;
      if (before === to || !this.#isGone(before)) continue;
      this.#held.of(to).put(this.#held.of(before).take(name));
      tree.adopt(name, to);
    }
    for (const [name, { kind, parent }] of [...this.#old].reverse()) {
      const isAside = this.#setAside.some((aside) => aside.name === name);
      if (!this.#isGone(name) || parent === undefined || isAside) continue;
      const { driver } = this.#held.of(parent).take(name).slot;
      if (kind === "supervisor" && driver instanceof Supervisor) supervisors.set(name, driver);
      else if (!leaving.has(name)) {
        driver.retire();
        driver.settleDown(false);
        driver.release();
      }
      tree.forget(name);
    }
    return supervisors;
  }
}

/** True when a stop of the runtime ends the change. */
function isOfStop(error: unknown): boolean {
  const { HOLD_LOST, NOT_STARTED } = supervisionErrors;
  return error instanceof HOLD_LOST || error instanceof NOT_STARTED;
}

const notStartedAgain = "an agent did not start again after a change of the tree was taken back";

function childNames(node: PlacedNode | undefined): readonly string[] {
  return node?.spec.kind === "supervisor" ? node.spec.children.map(({ name }) => name) : [];
}

function startFailed(node: string, error: unknown): Error {
  return new changeErrors.START_FAILED({ node, reason: reasonOf(error) }, { cause: error });
}
