import { numberIn, objectOf, objectsOf, type WireObject } from "../watching/index.ts";
import { depthMax, type TreeRow, treeRows } from "./tree-rows.ts";

/** The routes that are always asked, without what of them is asked for. */
export const steadyRoutes = ["/topology", "/snapshot", "/processes", "/health"] as const;

/** What came of a question. */
export type Polled =
  | { readonly kind: "body"; readonly body: unknown }
  /** The last answer holds. */
  | { readonly kind: "same" }
  | { readonly kind: "failure"; readonly reason: string };

/** What the middle pane shows. */
export type MiddleView = "approvals" | "detail" | "events" | "history";

/** How many values the small charts have. */
const keptCount = 120;

/** One running topology: what its server last said, and what is looked at. */
export class Tab {
  /** Name of the file, without its end. */
  readonly label: string;
  /** Where its server listens: `http://127.0.0.1:8090`. */
  readonly origin: string;
  readonly #bodies = new Map<string, WireObject>();
  readonly #failures = new Map<string, string>();
  #rows: readonly TreeRow[] | undefined;
  #agentCount: number | undefined;
  #filter = "";
  readonly #collapsed = new Set<string>();
  #selected: string | undefined;
  #isSelectionMoved = false;
  /** First line that is seen, of each pane. */
  readonly scrolls: [tree: number, middle: number, processes: number] = [0, 0, 0];
  middle: MiddleView = "detail";
  /** Of the approvals that are listed. */
  approvalIndex = 0;
  /** Messages a second of the whole, one number for each poll. */
  readonly rates: number[] = [];
  /** The same of the selected agent. */
  readonly selectedRates: number[] = [];
  #handled: { readonly total: number; readonly own: number; readonly seconds: number } | undefined;

  constructor(label: string, origin: string) {
    this.label = label;
    this.origin = origin;
  }

  /** Takes what came of a question. */
  take(route: string, polled: Polled): void {
    if (polled.kind === "failure") {
      this.#failures.set(route, polled.reason);
      return;
    }
    this.#failures.delete(route);
    if (polled.kind === "same") return;
    const body = Array.isArray(polled.body) ? { items: polled.body } : objectOf(polled.body);
    this.#bodies.set(route, body);
    if (route === "/topology") {
      this.#rows = undefined;
      this.#agentCount = undefined;
    }
    if (route === "/snapshot") this.#measure(body);
  }

  /**
   * Says what of a route is asked for: of what may be large only what is shown, and what has changed.
   *
   * @param isWhole True to ask for all of the tree, whatever is known of it.
   */
  questionOf(route: string, isWhole: boolean): string {
    if (route === "/snapshot")
      return `/snapshot?agent=${encodeURIComponent((this.#selected ?? "").toWellFormed())}`;
    const { revision } = this.body("/topology");
    if (route !== "/topology" || isWhole || typeof revision !== "string") return route;
    return `/topology?since=${encodeURIComponent(revision)}`;
  }

  /** @returns The last answer to a route; empty before the first one. */
  body(route: string): WireObject {
    return this.#bodies.get(route) ?? {};
  }

  /** True until the tree was answered for the first time. */
  get isEmpty(): boolean {
    return !this.#bodies.has("/topology");
  }

  /** Routes whose last question failed, and why. */
  get failures(): ReadonlyMap<string, string> {
    return this.#failures;
  }

  /** Only what has this in its name or status is in the tree. */
  get filter(): string {
    return this.#filter;
  }

  set filter(filter: string) {
    this.#filter = filter;
    this.#rows = undefined;
    this.scrolls[0] = 0;
  }

  /** Agents of the whole tree: members of pools, and what was spawned, too. */
  get agentCount(): number {
    return (this.#agentCount ??= countAgents(this.body("/topology"), 0));
  }

  get rows(): readonly TreeRow[] {
    return (this.#rows ??= treeRows(this.body("/topology"), {
      collapsed: this.#collapsed,
      filter: this.#filter,
    }));
  }

  /** The row that is selected; undefined when none is, or it is gone. */
  get selected(): TreeRow | undefined {
    return this.rows.find(({ name }) => name === this.#selected);
  }

  select(name: string | undefined): void {
    if (name === this.#selected) return;
    this.#selected = name;
    this.#isSelectionMoved = true;
    this.scrolls[1] = 0;
    this.selectedRates.length = 0;
    this.#handled = undefined;
  }

  /** @returns Which row is selected, where it was moved since this was asked last: it is to be seen then. */
  takeMovedSelection(): number | undefined {
    if (!this.#isSelectionMoved) return undefined;
    this.#isSelectionMoved = false;
    const at = this.rows.findIndex(({ name }) => name === this.#selected);
    return at === -1 ? undefined : at;
  }

  /** Moves the selection by so many rows; without one, from above the first. */
  move(step: number): void {
    const { rows } = this;
    const at = rows.findIndex(({ name }) => name === this.#selected);
    const next = Math.min(rows.length - 1, Math.max(0, at + step));
    this.select(rows[next]?.name);
  }

  /** Folds or unfolds what is selected. */
  fold(isCollapsed: boolean): void {
    const { selected } = this;
    if (selected === undefined || selected.childCount === 0) return;
    if (isCollapsed) this.#collapsed.add(selected.name);
    else this.#collapsed.delete(selected.name);
    this.#rows = undefined;
  }

  /** The path of the selected agent's routes; undefined for supervisors, which have none. */
  get selectedPath(): string | undefined {
    const { selected } = this;
    if (selected === undefined || selected.type.endsWith("supervisor")) return undefined;
    return `/agents/${encodeURIComponent(selected.name.toWellFormed())}`;
  }

  /** The routes that what is looked at needs, besides the steady ones. */
  get wantedRoutes(): string[] {
    const path = this.selectedPath;
    const routes: string[] = path === undefined ? [] : [path];
    if (this.middle === "history" && path !== undefined) routes.push(`${path}/history`);
    if (this.middle === "events") routes.push("/events?recent=200&follow=false");
    if (this.middle === "approvals") routes.push("/approvals?status=pending");
    return routes;
  }

  /** Approvals that wait for a person. */
  get approvals(): readonly WireObject[] {
    return objectsOf(this.body("/approvals?status=pending")["approvals"]);
  }

  #measure(snapshot: WireObject): void {
    const seconds = numberIn(snapshot["uptime_seconds"]);
    const total = numberIn(snapshot["total_messages"]);
    const counters = objectOf(objectOf(snapshot["agents"])[this.#selected ?? ""]);
    const own = numberIn(counters["messages_handled"]);
    const before = this.#handled;
    this.#handled = { total, own, seconds };
    // Another process counts from 0 again.
    if (before === undefined || seconds <= before.seconds) return;
    const rate = (now: number, then: number): number =>
      Math.max(0, now - then) / (seconds - before.seconds);
    keep(this.rates, rate(total, before.total));
    keep(this.selectedRates, rate(own, before.own));
  }
}

function countAgents(node: WireObject, depth: number): number {
  if (depth > depthMax) return 0;
  const below = objectsOf(node["children"]).map((child) => countAgents(child, depth + 1));
  return below.reduce((sum, count) => sum + count, node["type"] === "agent" ? 1 : 0);
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > keptCount) values.shift();
}
