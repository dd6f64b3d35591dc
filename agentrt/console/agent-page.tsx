import type { ComponentChildren, JSX } from "preact";
import type { AgentDetailBody, MailboxBody, SnapshotBody } from "../src/control/wire.ts";
import type {
  HistoryBody,
  LogsBody,
  OverviewBody,
  OverviewRowBody,
  StateBody,
} from "../src/control/wire-history.ts";
import { agentAsked, type Asked } from "./asked.ts";
import { AgentActions } from "./agent-actions.tsx";
import { Charts } from "./charts.tsx";
import { Budgets, Uses, Work } from "./cost.tsx";
import { agoText, durationText, fieldsText, valueText } from "./format.ts";
import { Keys } from "./keys.tsx";
import { LogLines } from "./log-lines.tsx";
import { Ago, Facts, Json, Nothing, Refused, Section, Status, Table, Title } from "./parts.tsx";
import { useAsked } from "./poll.ts";
import { hrefOf } from "./route.ts";

/** All about one agent, pool, keyed agent or key. */
export function AgentPage({ name }: { readonly name: string }): JSX.Element {
  const asked = agentAsked(name);
  const detail = useAsked<AgentDetailBody>(asked.detail);
  const { data: agent, refusal } = detail;
  // A key has no row.
  const isOfTree = agent !== undefined && agent.kind !== "key";
  const overview = useAsked<OverviewBody>(isOfTree ? asked.overview : undefined);
  return (
    <main class="page" id="main">
      <div class="bar">
        <p class="crumbs">
          <a href={hrefOf("tree")}>Tree</a> <span aria-hidden="true">/</span>{" "}
          {agent?.above.map((each) => (
            <span key={each}>
              {name.startsWith(`${each}/`) ? <a href={hrefOf("agents", each)}>{each}</a> : each}{" "}
              <span aria-hidden="true">/</span>{" "}
            </span>
          ))}
        </p>
        <Title>{name}</Title>
        {agent === undefined ? null : <Status status={agent.status} />}
        {agent === undefined ? null : <AgentActions agent={agent} onDone={detail.refresh} />}
      </div>
      <Refused refusal={refusal} />
      {agent === undefined ? (
        refusal === undefined ? (
          <Nothing>Loading…</Nothing>
        ) : null
      ) : (
        <div class="panels">
          <div class="column">
            <Suspension agent={agent} />
            <Now agent={agent} />
            <Crash agent={agent} />
            <Cost agent={agent} row={overview.data?.agents[0]} />
          </div>
          <div class="column">
            {agent.kind === "key" ? null : <Charts name={name} body={overview.data} />}
            {agent.kind === "keyed" ? <Keys name={name} /> : null}
            <Mailbox asked={asked.mailbox} />
          </div>
          <div class="column">
            <State asked={asked.state} />
            <History asked={asked.history} />
          </div>
          <Logs asked={asked.logs} />
        </div>
      )}
    </main>
  );
}

function Now({ agent }: { readonly agent: AgentDetailBody }): JSX.Element {
  const { mailbox, at_hand: atHand, waits_for: awaited, listeners = [], placement = {} } = agent;
  const facts: (readonly [string, ComponentChildren])[] = [
    ["Class", agent.class === null ? agent.kind : `${agent.class} (${agent.kind})`],
    ["Process", agent.process_id],
    ["Up", durationText(agent.uptime_seconds)],
    ["Restarts", agent.restart_count],
    [
      "Waiting",
      mailbox.oldest_timestamp === null
        ? mailbox.depth
        : `${mailbox.depth}, the oldest for ${agoText(mailbox.oldest_timestamp).replace(" ago", "")}`,
    ],
    ["Model turns", agent.session_turn_count],
  ];
  if (agent.capabilities.length > 0) facts.push(["Capabilities", agent.capabilities.join(", ")]);
  if (awaited !== undefined)
    facts.push([
      "Waits for",
      <>
        {`the ${awaited.kind} ${awaited.name}, since `}
        <Ago at={awaited.since} />
      </>,
    ]);
  if (agent.waits_for_state === true) facts.push(["Waits for", "the state store"]);
  for (const { protocol, host, port } of listeners)
    facts.push(["Listens", `${protocol} ${host}:${port}`]);
  for (const [process, count] of Object.entries(placement)) facts.push([`On ${process}`, count]);
  return (
    <Section title="Now" extra={<a href={hrefOf("traces", "", { agent: agent.name })}>Traces</a>}>
      <Facts facts={facts} />
      {atHand.length === 0 ? (
        <Nothing>No message is at hand.</Nothing>
      ) : (
        <Table
          label="Messages at hand"
          rows={atHand}
          keyOf={({ id }) => id}
          columns={[
            { name: "At hand", show: ({ type }) => type },
            { name: "From", show: ({ sender }) => <Sender name={sender} /> },
            { name: "Since", show: ({ since }) => <Ago at={since} /> },
            { name: "Attempt", show: ({ attempt }) => attempt + 1, isNumber: true },
            { name: "Trace", show: ({ trace_id: id }) => <TraceLink id={id} /> },
          ]}
        />
      )}
    </Section>
  );
}

function Sender({ name }: { readonly name: string }): JSX.Element {
  return name === "" ? (
    <span class="dull">outside</span>
  ) : (
    <a href={hrefOf("agents", name)}>{name}</a>
  );
}

function TraceLink({ id }: { readonly id: string }): JSX.Element {
  return id === "" ? <></> : <a href={hrefOf("traces", id)}>{id.slice(0, 8)}</a>;
}

function Suspension({ agent }: { readonly agent: AgentDetailBody }) {
  const { suspension, draining, approvals = [] } = agent;
  if (suspension === null && draining === undefined) return null;
  const facts: (readonly [string, ComponentChildren])[] = [];
  if (draining !== undefined)
    facts.push(
      ["Draining", draining.reason],
      ["By", draining.initiated_by],
      ["Since", <Ago at={draining.since} />],
    );
  if (suspension !== null)
    facts.push(
      [suspension.halted === true ? "Halted" : "Reason", suspension.reason],
      ["Category", suspension.category],
      ["By", suspension.initiated_by ?? "unknown"],
      ["Since", <Ago at={suspension.since} />],
      ["Survives a restart", suspension.durable ? "yes" : "no"],
    );
  for (const id of approvals)
    facts.push(["Waits for", <a href={hrefOf("approvals", id)}>approval {id}</a>]);
  return (
    <Section title={suspension === null ? "Draining" : "Suspended"}>
      <Facts facts={facts} />
    </Section>
  );
}

function Crash({ agent }: { readonly agent: AgentDetailBody }) {
  const { last_crash: crash } = agent;
  if (crash === null) return null;
  return (
    <Section title="Last crash" extra={<a href={hrefOf("crashes", crash.id)}>Details</a>}>
      <Facts
        facts={[
          ["When", <Ago at={crash.timestamp} />],
          ["Reason", crash.reason],
          ["Message", crash.message],
          ["At", crash.at ?? "unknown"],
        ]}
      />
    </Section>
  );
}

function Mailbox({ asked }: { readonly asked: Asked }): JSX.Element {
  const { data, refusal } = useAsked<MailboxBody>(asked);
  const depth = data?.depth ?? 0;
  return (
    <Section title="Mailbox" extra={<span class="dull">{depth === 0 ? "" : `${depth} wait`}</span>}>
      <Refused refusal={refusal} />
      {data === undefined || data.messages.length === 0 ? (
        <Nothing>{data === undefined ? "…" : "No message waits."}</Nothing>
      ) : (
        <Table
          label="Messages that wait"
          rows={data.messages}
          keyOf={({ id }) => id}
          columns={[
            { name: "Type", show: ({ type }) => type },
            { name: "From", show: ({ sender }) => <Sender name={sender} /> },
            { name: "Sent", show: ({ timestamp }) => <Ago at={timestamp} /> },
            { name: "Priority", show: ({ priority }) => priority, isNumber: true },
          ]}
        />
      )}
    </Section>
  );
}

function Cost(of: {
  readonly agent: AgentDetailBody;
  readonly row: OverviewRowBody | undefined;
}): JSX.Element {
  const { name, above } = of.agent;
  const { data } = useAsked<SnapshotBody>(agentAsked(name).cost);
  const counters = data?.agents[name];
  const whose = new Set([name, ...above]);
  return (
    <Section title="Work, cost and budget">
      {counters !== undefined ? (
        <Uses counters={counters} />
      ) : of.row !== undefined ? (
        <Work counted={of.row} />
      ) : (
        <Nothing>Nothing is counted yet.</Nothing>
      )}
      <Budgets
        budgets={(data?.budgets ?? []).filter((budget) => whose.has(budget.name))}
        of={name}
      />
    </Section>
  );
}

function State({ asked }: { readonly asked: Asked }): JSX.Element {
  const { data, refusal } = useAsked<StateBody>(asked);
  return (
    <Section title="State" extra={<span class="dull">without secrets</span>}>
      <Refused refusal={refusal} />
      {data === undefined ? null : data.state === null ? (
        <Nothing>There is no object of it.</Nothing>
      ) : (
        <Json value={data.state} label="State" />
      )}
    </Section>
  );
}

function History({ asked }: { readonly asked: Asked }): JSX.Element {
  const { data, refusal } = useAsked<HistoryBody>(asked);
  const entries = (data?.history ?? []).toReversed();
  return (
    <Section title="History">
      <Refused refusal={refusal} />
      {entries.length === 0 ? (
        <Nothing>{data === undefined ? "…" : "Nothing yet."}</Nothing>
      ) : (
        <ol class="history" tabIndex={0} aria-label="History, latest first">
          {entries.map(({ event, timestamp, ...rest }, index) => (
            <li key={`${valueText(timestamp)}-${index}`}>
              <Ago at={Number(timestamp)} /> <b>{valueText(event)}</b>{" "}
              <span class="fields">{fieldsText(rest)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Logs({ asked }: { readonly asked: Asked }): JSX.Element {
  const { data, refusal } = useAsked<LogsBody>(asked);
  return (
    <Section title="Logs" isWide>
      <Refused refusal={refusal} />
      <LogLines lines={data?.lines} />
    </Section>
  );
}
