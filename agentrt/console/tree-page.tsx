import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { HealthBody, KeysBody, TopologyBody, TreeNodeBody } from "../src/control/wire.ts";
import type { OverviewBody, OverviewRowBody } from "../src/control/wire-history.ts";
import { type Asked, figuresAsked, treeAsked, treeSince } from "./asked.ts";
import { agoText, countOf, countText, usdText } from "./format.ts";
import { Nothing, Refused, Status, Title } from "./parts.tsx";
import { useAsked } from "./poll.ts";
import { health } from "./health.ts";
import { FollowKeys } from "./keys.tsx";
import { hrefOf } from "./route.ts";
import { useStore } from "./store.ts";
import { flatten, keyFilterOf, type TreeRow } from "./tree-rows.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const statuses = ["not RUNNING", "RUNNING", "SUSPENDED", "CRASHED", "STOPPED", "INITIALIZING"];

/** Keyed agents whose keys are asked for at a time, and keys of each that are shown. */
const [openedCountMax, keyCountMax] = [10, 100];

/** What the agents do that are seen. */
function useFigures(): {
  /** The latest answer; of other rows until theirs has come. */
  readonly overview: OverviewBody | undefined;
  readonly onSee: (rows: readonly TreeRow[]) => void;
} {
  const [first, setFirst] = useState<Asked>();
  const wantedPath = useRef("");
  // The key stays that of the first rows: were it another with other rows, each change would drop the answer that is on its way.
  const { data, refreshSoon } = useAsked<OverviewBody>(first, () => wantedPath.current);
  const onSee = (rows: readonly TreeRow[]): void => {
    const names = rows.filter(({ kind }) => kind !== "key" && !isGroup(kind)).map(nameOf);
    const asked = figuresAsked(names);
    if (asked.path === wantedPath.current) return;
    wantedPath.current = asked.path;
    setFirst((before) => before ?? asked);
    refreshSoon();
  };
  return { overview: data, onSee };
}

/** The tree that runs. */
export function TreePage(): JSX.Element {
  const tree = useAsked<TopologyBody>(treeAsked, treeSince);
  const { overview, onSee } = useFigures();
  const known = useStore(health);
  const [text, setText] = useState("");
  const [status, setStatus] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [keys, setKeys] = useState<ReadonlyMap<string, KeysBody>>(new Map());
  const figures = useMemo(
    () => new Map(overview?.agents.map((row) => [row.name, row] as const)),
    [overview],
  );
  const flat = useMemo(
    () =>
      tree.data === undefined
        ? undefined
        : flatten(tree.data as TreeNodeBody, { text, status, closed, opened, keys }),
    [tree.data, text, status, closed, opened, keys],
  );
  const toggle = (row: TreeRow, isOpen = !row.isOpen): boolean => {
    if (!row.hasChildren || row.isOpen === isOpen) return false;
    const isKeyed = row.kind === "keyed";
    const next = new Set(isKeyed ? opened : closed);
    if (isOpen === isKeyed) next.add(row.name);
    else next.delete(row.name);
    if (isKeyed) setOpened(next);
    else setClosed(next);
    return true;
  };
  return (
    <main class="page fill" id="main">
      <div class="bar">
        <Title>Tree</Title>
        <input
          type="search"
          data-filter
          aria-label="Names that contain"
          placeholder="Filter by name ( / )"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select
          aria-label="Agents of status"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        >
          <option value="">any status</option>
          {statuses.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <Counts counts={flat?.counts} />
      </div>
      <Health health={known} overview={overview} />
      <Refused refusal={tree.refusal} />
      {[...opened].slice(-openedCountMax).map((name) => (
        <FollowKeys
          key={name}
          name={name}
          limit={keyCountMax}
          text={keyFilterOf(name, text)}
          status={status === "not RUNNING" ? "!RUNNING" : status}
          onKeys={(of, body) => setKeys((before) => new Map(before).set(of, body))}
        />
      ))}
      {flat === undefined ? (
        tree.refusal === undefined ? (
          <Nothing>Loading…</Nothing>
        ) : null
      ) : flat.rows.length === 0 ? (
        <Nothing>No agent fits.</Nothing>
      ) : (
        <Grid rows={flat.rows} figures={figures} onToggle={toggle} onSee={onSee} />
      )}
    </main>
  );
}

function Counts({ counts }: { readonly counts: ReadonlyMap<string, number> | undefined }) {
  if (counts === undefined) return null;
  const all = [...counts.values()].reduce((sum, each) => sum + each, 0);
  return (
    <p class="counts" role="status">
      <span>{countOf(all, "agent")}</span>
      {[...counts].map(([status, count]) => (
        <span key={status}>
          <Status status={status} /> {countText(count)}
        </span>
      ))}
    </p>
  );
}

/** What is wrong with the whole. */
function Health(of: {
  readonly health: HealthBody | undefined;
  readonly overview: OverviewBody | undefined;
}) {
  const lines = of.health === undefined ? [] : healthLines(of.health);
  for (const { name, since } of of.overview?.models_silent ?? [])
    lines.push(`the model ${name} has answered nobody since ${agoText(since)}`);
  for (const { name } of of.overview?.budgets_used_up ?? [])
    lines.push(`the budget of ${name} is used up`);
  if (lines.length === 0) return null;
  return (
    <ul class="notices" aria-label="What is wrong">
      {lines.map((line) => (
        <li key={line}>
          <span aria-hidden="true">▲</span> {line}
        </li>
      ))}
    </ul>
  );
}

function healthLines(health: HealthBody): string[] {
  const { approvals, halted = [], leader } = health;
  const lines: string[] = [];
  if (health.status === "degraded") {
    if (health.failed.length > 0) lines.push(`given up: ${health.failed.join(", ")}`);
    if (health.state !== undefined) lines.push(`no state is saved: ${health.state.reason}`);
    for (const name of health.workers_away ?? []) lines.push(`no worker for ${name}`);
    for (const name of health.workers_silent ?? []) lines.push(`the worker ${name} is silent`);
    if (health.audit !== undefined) lines.push(`no audit: ${health.audit.reason}`);
  }
  if (leader !== undefined) lines.push(`this supervisor waits: ${leader} leads`);
  for (const name of halted) lines.push(`${name} is halted by an eval agent`);
  if (approvals !== undefined && approvals.pending > 0)
    lines.push(`${countOf(approvals.pending, "approval")} to be decided`);
  return lines;
}

const columns = ["Name", "Status", "Kind", "Mailbox", "At hand", "Restarts", "Cost", "Notes"];

function Grid(of: {
  readonly rows: readonly TreeRow[];
  readonly figures: ReadonlyMap<string, OverviewRowBody>;
  readonly onToggle: (row: TreeRow, isOpen?: boolean) => boolean;
  readonly onSee: (rows: readonly TreeRow[]) => void;
}): JSX.Element {
  const open = (row: TreeRow): boolean => {
    if (isGroup(row.kind)) return of.onToggle(row);
    location.hash = hrefOf("agents", row.name);
    return true;
  };
  const onKey = (key: string, row: TreeRow): boolean => {
    if (key === "ArrowRight") return of.onToggle(row, true);
    if (key === "ArrowLeft") return of.onToggle(row, false);
    return key === "Enter" || key === " " ? open(row) : false;
  };
  return (
    <VirtualRows
      label="Agents and supervisors"
      role="treegrid"
      rows={of.rows}
      rowHeight={34}
      columnCount={columns.length}
      keyOf={(row) => row.name}
      onKey={onKey}
      onSee={of.onSee}
      about={(row) => ({
        "aria-level": row.depth + 1,
        "aria-posinset": row.position,
        "aria-setsize": row.siblingCount,
        ...(row.hasChildren ? { "aria-expanded": row.isOpen } : {}),
      })}
      head={
        <div role="rowgroup" class="tree head">
          <div role="row" class="row" aria-rowindex={1}>
            {columns.map((name) => (
              <div
                key={name}
                role="columnheader"
                class={`cell col-${name.toLowerCase().replace(" ", "-")}`}
              >
                {name}
              </div>
            ))}
          </div>
        </div>
      }
      show={(row) => <Cells row={row} figures={of.figures.get(row.name)} onToggle={of.onToggle} />}
    />
  );
}

function nameOf({ name }: TreeRow): string {
  return name;
}

function isGroup(kind: string): boolean {
  return kind === "supervisor" || kind === "dynamic_supervisor";
}

function Cells(of: {
  readonly row: TreeRow;
  readonly figures: OverviewRowBody | undefined;
  readonly onToggle: (row: TreeRow) => boolean;
}): JSX.Element {
  const { row, figures } = of;
  const cell = (name: string, content: JSX.Element | string | number): JSX.Element => (
    <div role="gridcell" class={`cell col-${name}`}>
      {content}
    </div>
  );
  const wait = figures?.waits_for;
  const atHand = figures?.at_hand;
  return (
    <>
      <div
        role="gridcell"
        class="cell col-name"
        style={{ paddingLeft: `${0.25 + Math.min(row.depth, 12)}rem` }}
      >
        {row.hasChildren ? (
          <button
            class="twist"
            tabIndex={-1}
            aria-label={`${row.isOpen ? "Close" : "Open"} ${row.name}`}
            onClick={() => of.onToggle(row)}
          >
            {row.isOpen ? "▾" : "▸"}
          </button>
        ) : (
          <span class="twist" />
        )}
        {isGroup(row.kind) ? (
          <span class="group">{row.name}</span>
        ) : (
          <a href={hrefOf("agents", row.name)} tabIndex={-1}>
            {row.name}
          </a>
        )}
        {row.hasChildren && !row.isOpen ? <span class="below">{row.belowCount}</span> : null}
      </div>
      {cell(
        "status",
        <Status status={row.status} isBelow={isGroup(row.kind) && row.status !== "RUNNING"} />,
      )}
      {cell("kind", row.kind.replace("_supervisor", ""))}
      {cell("mailbox", figures === undefined ? "" : countText(figures.mailbox_depth))}
      {cell(
        "at-hand",
        atHand === null || atHand === undefined ? "" : agoText(atHand.since).replace(" ago", ""),
      )}
      {cell("restarts", row.restartCount === 0 ? "" : row.restartCount)}
      {cell(
        "cost",
        figures === undefined || figures.cost_usd === 0 ? "" : usdText(figures.cost_usd),
      )}
      {cell("notes", wait === undefined ? row.note : `waits for the ${wait.kind} ${wait.name}`)}
    </>
  );
}
