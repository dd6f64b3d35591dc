import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { TraceBody, TracesBody, TraceSummaryBody } from "../src/control/wire.ts";
import { ask, Refusal } from "./api.ts";
import { countOf, durationText, timeText } from "./format.ts";
import { Ago, Json, Nothing, Refused, Section, Status, Table, Title, Unread } from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";
import { waterfall, type WaterfallRow } from "./waterfall.ts";

/** A trace, or the traces that are known. */
export function TracesPage(of: {
  readonly id: string;
  readonly query: URLSearchParams;
}): JSX.Element {
  const { id, query } = of;
  const [text, setText] = useState(id);
  return (
    <main class="page" id="main">
      <div class="bar">
        {id === "" ? null : (
          <p class="crumbs">
            <a href={hrefOf("traces")}>Traces</a> <span aria-hidden="true">/</span>
          </p>
        )}
        <Title>{id === "" ? "Traces" : `Trace ${id.slice(0, 8)}`}</Title>
        {id === "" ? <Filters query={query} /> : null}
        <form
          class="line"
          onSubmit={(event) => {
            event.preventDefault();
            location.hash = hrefOf("traces", text.trim());
          }}
        >
          <input
            aria-label="Id of a trace"
            placeholder="Id of a trace"
            size={34}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button>Show</button>
        </form>
      </div>
      {id === "" ? <Traces query={query} /> : <Trace key={id} id={id} />}
    </main>
  );
}

/** Seconds that are offered as the least. */
const durations = ["0.001", "0.01", "0.1", "1", "10"];

/** What is listed is in the URL: it can be sent to somebody, and the browser goes back to it. */
function Filters({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const get = (name: string): string => query.get(name) ?? "";
  const set = (name: string, value: string): void => {
    location.hash = hrefOf("traces", "", { ...Object.fromEntries(query), [name]: value });
  };
  const least = get("min_duration");
  return (
    <>
      <input
        type="search"
        data-filter
        aria-label="Traces with the agent"
        placeholder="Agent ( / )"
        value={get("agent")}
        onChange={(event) => set("agent", event.currentTarget.value.trim())}
      />
      <select
        aria-label="Traces of status"
        value={get("status")}
        onChange={(event) => set("status", event.currentTarget.value)}
      >
        <option value="">any status</option>
        <option>ok</option>
        <option>error</option>
      </select>
      <select
        aria-label="Traces that took at least"
        value={least}
        onChange={(event) => set("min_duration", event.currentTarget.value)}
      >
        <option value="">any duration</option>
        {durations.map((each) => (
          <option key={each} value={each}>
            {durationText(Number(each))} or more
          </option>
        ))}
        {least === "" || durations.includes(least) ? null : (
          <option value={least}>{least} s or more</option>
        )}
      </select>
      <label class="choice">
        <input
          type="checkbox"
          checked={get("all") === "yes"}
          disabled={get("agent") !== ""}
          onChange={(event) => set("all", event.currentTarget.checked ? "yes" : "")}
        />
        Requests without an agent, too
      </label>
    </>
  );
}

/** Lists that are asked for at a time where they find nothing; each looks at 20 000 spans. */
const lookCountMax = 20;

function pathOf(query: URLSearchParams, before?: string): string {
  const asked = new URLSearchParams({ limit: "50" });
  for (const name of ["agent", "status", "min_duration"]) {
    const value = query.get(name);
    if (value !== null && value !== "") asked.set(name, value);
  }
  if (!asked.has("agent") && query.get("all") !== "yes") asked.set("agent", "*");
  if (before !== undefined) asked.set("before", before);
  return `/traces?${asked}`;
}

function Traces({ query }: { readonly query: URLSearchParams }): JSX.Element {
  /** Once somebody looks further back, the list stays as it was then. */
  const [held, setHeld] = useState<readonly TracesBody[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Refusal>();
  const isLive = held.length === 0;
  const live = usePoll<TracesBody>(isLive ? pathOf(query) : undefined, 4000);
  const lists = isLive ? (live.data === undefined ? [] : [live.data]) : held;
  const next = lists.at(-1)?.next ?? null;
  const goOn = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    const all = [...lists];
    try {
      for (let from = next, count = 0; from !== null && count < lookCountMax; count += 1) {
        const { body } = await ask<TracesBody>(pathOf(query, from));
        all.push(body);
        from = body.next;
        if (body.traces.length > 0) break;
      }
    } catch (error) {
      if (error instanceof Refusal) setFault(error);
    }
    setHeld(all);
    setBusy(false);
  };
  return (
    <Section
      title={isLive ? "The latest" : "As they were when you looked further back"}
      extra={isLive ? null : <button onClick={() => setHeld([])}>Back to the latest</button>}
      isWide
    >
      <Refused refusal={live.refusal ?? fault} />
      <Unread unread={lists.flatMap(({ unread = [] }) => unread)} />
      <Listed lists={lists} isKnown={live.data !== undefined || !isLive} />
      {next === null ? null : (
        <div class="line">
          <button disabled={isBusy} onClick={() => void goOn()}>
            {isBusy ? "Looking…" : "Look further back"}
          </button>
          <span class="dull" role="status">
            {placeText(next)}
          </span>
        </div>
      )}
    </Section>
  );
}

/** How far back a list has looked: its `next` begins with the moment, milliseconds. */
function placeText(next: string): string {
  const seconds = Number(/^[\d.]+/.exec(next)?.[0]) / 1000;
  return Number.isFinite(seconds) ? `looked back to ${timeText(seconds)}` : "";
}

function Listed(of: {
  readonly lists: readonly TracesBody[];
  readonly isKnown: boolean;
}): JSX.Element {
  const byId = new Map(
    of.lists.flatMap(({ traces }) => traces.map((trace) => [trace.trace_id, trace] as const)),
  );
  const traces = [...byId.values()];
  if (traces.length === 0) {
    if (!of.isKnown) return <Nothing>Loading…</Nothing>;
    const isRecorded = of.lists.some(({ recorded }) => recorded);
    return (
      <Nothing>
        {isRecorded
          ? "No trace fits, as far as was looked."
          : "No spans are made: the topology names no exporter."}
      </Nothing>
    );
  }
  const longest = Math.max(...traces.map(secondsOf));
  return (
    <Table
      label="Traces"
      rows={traces}
      keyOf={({ trace_id: id }) => id}
      columns={[
        {
          name: "Trace",
          show: ({ trace_id: id, name }) => <a href={hrefOf("traces", id)}>{name || "unnamed"}</a>,
        },
        { name: "Status", show: ({ status }) => <Status status={status} /> },
        { name: "Began", show: ({ start_time: at }) => <Ago at={at} /> },
        { name: "Agents", show: ({ agents }) => <Agents names={agents} /> },
        { name: "Spans", show: ({ span_count: count }) => count, isNumber: true },
        { name: "Took", show: (trace) => <Took trace={trace} longest={longest} />, isNumber: true },
      ]}
    />
  );
}

function secondsOf({ start_time: start, end_time: end }: TraceSummaryBody): number {
  return Math.max(0, end - start);
}

/** Agents that are named; the others are a number. */
const agentCountMax = 4;

function Agents({ names }: { readonly names: readonly string[] }): JSX.Element {
  const more = names.length - agentCountMax;
  return (
    <>
      {names.slice(0, agentCountMax).map((name, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <a href={hrefOf("agents", name)}>{name}</a>
        </span>
      ))}
      {more > 0 ? <span class="dull"> and {more} more</span> : null}
    </>
  );
}

function Took(of: { readonly trace: TraceSummaryBody; readonly longest: number }): JSX.Element {
  const seconds = secondsOf(of.trace);
  const share = of.longest === 0 ? 0 : seconds / of.longest;
  const tone = of.trace.status === "error" ? "bar-error" : "bar-good";
  return (
    <span class="took">
      {durationText(seconds)}
      <span class="track" aria-hidden="true">
        <span class={tone} style={{ width: `max(1px, ${share * 100}%)` }} />
      </span>
    </span>
  );
}

function Trace({ id }: { readonly id: string }): JSX.Element {
  const { data, refusal } = usePoll<TraceBody>(`/traces/${encodeURIComponent(id)}`, 3000);
  const found = useMemo(() => (data === undefined ? undefined : waterfall(data.spans)), [data]);
  const [open, setOpen] = useState<string>();
  if (found === undefined)
    return refusal === undefined ? <Nothing>Loading…</Nothing> : <Refused refusal={refusal} />;
  const start = Math.min(...found.rows.map(({ span }) => span.start_time));
  return (
    <Section
      title={`${countOf(found.rows.length, "span")} in ${durationText(found.seconds)}`}
      extra={<span class="dull">{timeText(start)}</span>}
      isWide
    >
      <Unread unread={data?.unread ?? []} />
      <ol class="waterfall" aria-label="Spans">
        {found.rows.map((row) => (
          <Span
            key={row.span.span_id}
            row={row}
            start={start}
            isOpen={open === row.span.span_id}
            onToggle={() => setOpen(open === row.span.span_id ? undefined : row.span.span_id)}
          />
        ))}
      </ol>
    </Section>
  );
}

function Span(of: {
  readonly row: WaterfallRow;
  readonly start: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): JSX.Element {
  const { span, depth, from, length } = of.row;
  const seconds = span.end_time - span.start_time;
  const after = durationText(span.start_time - of.start);
  const isError = span.status === "error";
  return (
    <li>
      <button class="span" aria-expanded={of.isOpen} onClick={of.onToggle}>
        <span class="title" style={{ paddingLeft: `${Math.min(depth, 16) * 0.9}rem` }}>
          {isError ? <span class="bad">✖ error </span> : null}
          {span.name}
        </span>
        <span class="track" aria-hidden="true">
          <span
            class={isError ? "bar-error" : "bar-good"}
            style={{ marginLeft: `${from * 100}%`, width: `max(2px, ${length * 100}%)` }}
          />
        </span>
        <span class="duration">
          {durationText(seconds)}
          <span class="hidden">, {after} after the start</span>
        </span>
      </button>
      {of.isOpen ? (
        <div class="details">
          {span.error_message === null ? null : <p class="refused">{span.error_message}</p>}
          <Json
            label={`Attributes of ${span.name}`}
            value={{ kind: span.kind, starts: timeText(span.start_time), ...span.attributes }}
          />
        </div>
      ) : null}
    </li>
  );
}
