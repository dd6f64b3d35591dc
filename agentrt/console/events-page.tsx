import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { forgetFailing } from "./api.ts";
import { followEvents, type StreamEvent } from "./event-source.ts";
import { countOf, fieldsText, timeText, valueText } from "./format.ts";
import { Json, Nothing, Section, Title } from "./parts.tsx";
import { hrefOf } from "./route.ts";
import { VirtualRows } from "./virtual-rows.tsx";

/** So many of the latest events are kept. */
const eventCountMax = 2000;

interface Row extends StreamEvent {
  readonly number: number;
  readonly agent: string;
  readonly text: string;
}

/** What happens, as it happens. */
export function EventsPage(): JSX.Element {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [isPaused, setPaused] = useState(false);
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState<Row>();
  const paused = useRef(false);
  paused.current = isPaused;
  useEffect(() => follow({ setRows, isPaused: () => paused.current }), []);
  const shown = useMemo(() => {
    const words = filter.toLowerCase().split(" ");
    return rows.filter(({ text }) => words.every((word) => text.includes(word)));
  }, [rows, filter]);
  return (
    <main class="page fill" id="main">
      <div class="bar">
        <Title>Events</Title>
        <input
          type="search"
          data-filter
          aria-label="Events with these words"
          placeholder="Filter: agent, type, text ( / )"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <button aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? "Go on" : "Pause"}
        </button>
        <span class="dull">{countOf(shown.length, "event")}, latest first</span>
      </div>
      {shown.length === 0 ? (
        <Nothing>{rows.length === 0 ? "Nothing has happened yet." : "No event fits."}</Nothing>
      ) : (
        <VirtualRows
          label="Events"
          role="grid"
          rows={shown}
          rowHeight={30}
          columnCount={4}
          keyOf={(row) => String(row.number)}
          onKey={(key, row) => {
            if (key !== "Enter" && key !== " ") return false;
            setChosen(row);
            return true;
          }}
          onChoose={setChosen}
          head={<Head />}
          show={(row) => <Cells row={row} />}
        />
      )}
      {chosen === undefined ? null : (
        <Section
          title={chosen.type}
          extra={<button onClick={() => setChosen(undefined)}>Close</button>}
        >
          <Json value={chosen.data} label="Event" />
        </Section>
      )}
    </main>
  );
}

function Head(): JSX.Element {
  return (
    <div role="rowgroup" class="head events">
      <div role="row" class="row" aria-rowindex={1}>
        {["Time", "Type", "Agent", "What"].map((name) => (
          <div key={name} role="columnheader" class={`cell col-${name.toLowerCase()}`}>
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}

function Cells({ row }: { readonly row: Row }): JSX.Element {
  const { type: _, agent: __, timestamp, ...rest } = row.data;
  const isBad = /crash|exhausted|exceeded|halted|late|fail/.test(row.type);
  return (
    <>
      <div role="gridcell" class="cell col-time">
        {typeof timestamp === "number" ? timeText(timestamp).slice(11, 19) : ""}
        <span class="fraction">
          {typeof timestamp === "number" ? timeText(timestamp).slice(19) : ""}
        </span>
      </div>
      <div role="gridcell" class={isBad ? "cell col-type bad" : "cell col-type"}>
        {row.type}
      </div>
      <div role="gridcell" class="cell col-agent">
        {row.agent === "" ? (
          ""
        ) : (
          <a href={hrefOf("agents", row.agent)} tabIndex={-1}>
            {row.agent}
          </a>
        )}
      </div>
      <div role="gridcell" class="cell col-what">
        {fieldsText(rest)}
      </div>
    </>
  );
}

/** Events come in bursts: what came is drawn once for each frame. */
function follow(of: {
  readonly setRows: (change: (rows: readonly Row[]) => readonly Row[]) => void;
  readonly isPaused: () => boolean;
}): () => void {
  const stop = new AbortController();
  const waiting: Row[] = [];
  let number = 0;
  let isPlanned = false;
  const draw = (): void => {
    isPlanned = false;
    if (stop.signal.aborted) return;
    if (of.isPaused()) {
      plan();
      return;
    }
    const come = waiting.splice(0).reverse();
    of.setRows((rows) => [...come, ...rows].slice(0, eventCountMax));
  };
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => requestAnimationFrame(draw), 100);
  };
  const onEvent = (event: StreamEvent): void => {
    number += 1;
    const { agent } = event.data;
    const name = typeof agent === "string" ? agent : "";
    const text = `${event.type} ${valueText(event.data)}`.toLowerCase();
    waiting.push({ ...event, number, agent: name, text });
    if (waiting.length > eventCountMax) waiting.shift();
    plan();
  };
  void followEvents("/events?recent=500", { signal: stop.signal, onEvent });
  return () => {
    stop.abort();
    forgetFailing("/events");
  };
}
