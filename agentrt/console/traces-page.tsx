import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { TraceBody } from "../src/control/wire.ts";
import type { LogsBody } from "../src/control/wire-history.ts";
import { countOf, durationText, timeText, valueText } from "./format.ts";
import { Json, Nothing, Refused, Section, Table, Title } from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";
import { waterfall, type WaterfallRow } from "./waterfall.ts";

/** A trace, or those that are known of. */
export function TracesPage({ id }: { readonly id: string }): JSX.Element {
  const [text, setText] = useState(id);
  return (
    <main class="page" id="main">
      <div class="bar">
        <Title>{id === "" ? "Traces" : `Trace ${id.slice(0, 8)}`}</Title>
        <form
          class="line"
          onSubmit={(event) => {
            event.preventDefault();
            location.hash = hrefOf("traces", text.trim());
          }}
        >
          <input
            data-filter
            aria-label="Id of a trace"
            placeholder="Id of a trace ( / )"
            size={34}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button>Show</button>
        </form>
      </div>
      {id === "" ? <Known /> : <Trace key={id} id={id} />}
    </main>
  );
}

interface KnownTrace {
  readonly id: string;
  readonly time: string;
  readonly agents: readonly string[];
  readonly lineCount: number;
  readonly message: string;
}

function knownTraces({ lines }: LogsBody): KnownTrace[] {
  const found = new Map<string, KnownTrace>();
  for (const { traceId, agent, time, message } of lines) {
    if (typeof traceId !== "string") continue;
    const before = found.get(traceId);
    const name = valueText(agent);
    found.delete(traceId);
    found.set(traceId, {
      id: traceId,
      time: valueText(time),
      agents: [...new Set([...(before?.agents ?? []), name])],
      lineCount: (before?.lineCount ?? 0) + 1,
      message: valueText(message),
    });
  }
  return [...found.values()].toReversed().slice(0, 200);
}

function Known(): JSX.Element {
  const { data, refusal } = usePoll<LogsBody>("/logs?limit=1000", 4000);
  const traces = useMemo(() => (data === undefined ? [] : knownTraces(data)), [data]);
  return (
    <Section title="Lately, by log lines" isWide>
      <Refused refusal={refusal} />
      {traces.length === 0 ? (
        <Nothing>
          {data === undefined
            ? "…"
            : "No log line names a trace. Ids are also on agents, dead letters and crashes."}
        </Nothing>
      ) : (
        <Table
          label="Traces"
          rows={traces}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Trace",
              show: ({ id }) => <a href={hrefOf("traces", id)}>{id.slice(0, 16)}</a>,
            },
            { name: "Last line", show: ({ time }) => time.replace("T", " ").replace("Z", "") },
            { name: "Agents", show: ({ agents }) => agents.join(", ") },
            { name: "Lines", show: ({ lineCount }) => lineCount, isNumber: true },
            { name: "Says", show: ({ message }) => message },
          ]}
        />
      )}
    </Section>
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
