import type { JSX } from "preact";
import type { CrashBody, CrashesBody } from "../src/control/wire-history.ts";
import type { CrashBundle } from "../src/crashes/crash-bundle.ts";
import { CrashRecord } from "./crash-record.tsx";
import { Ago, Facts, Json, Nothing, Refused, Section, Table, Title } from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";

/** The latest crashes, or one of them. */
export function CrashesPage({ id }: { readonly id: string }): JSX.Element {
  return (
    <main class="page" id="main">
      <div class="bar">
        {id === "" ? null : (
          <p class="crumbs">
            <a href={hrefOf("crashes")}>Crashes</a> <span aria-hidden="true">/</span>
          </p>
        )}
        <Title>{id === "" ? "Crashes" : id}</Title>
      </div>
      {id === "" ? <List /> : <Crash key={id} id={id} />}
    </main>
  );
}

function List(): JSX.Element {
  const { data, refusal } = usePoll<CrashesBody>("/crashes", 3000);
  const crashes = (data?.crashes ?? []).toReversed();
  return (
    <Section title="The latest first" isWide>
      <Refused refusal={refusal} />
      {crashes.length === 0 ? (
        <Nothing>{data === undefined ? "Loading…" : "Nothing has crashed."}</Nothing>
      ) : (
        <Table
          label="Crashes"
          rows={crashes}
          keyOf={({ id }) => id}
          columns={[
            { name: "When", show: ({ timestamp }) => <Ago at={timestamp} /> },
            { name: "Agent", show: ({ agent }) => <a href={hrefOf("agents", agent)}>{agent}</a> },
            { name: "Reason", show: ({ reason }) => <b class="bad">{reason}</b> },
            { name: "Message", show: ({ message }) => message },
            { name: "At", show: ({ at }) => at ?? "" },
            { name: "", show: ({ id }) => <a href={hrefOf("crashes", id)}>Details of {id}</a> },
          ]}
        />
      )}
    </Section>
  );
}

function Crash({ id }: { readonly id: string }): JSX.Element {
  const { data: crash, refusal } = usePoll<CrashBody>(`/crashes/${encodeURIComponent(id)}`, 30_000);
  if (crash === undefined)
    return refusal === undefined ? <Nothing>Loading…</Nothing> : <Refused refusal={refusal} />;
  const { error, message_at_hand: message, trace_id: trace } = crash;
  const { record: recorded } = crash;
  const record = recorded?.["v"] === 1 ? (recorded as unknown as CrashBundle) : null;
  return (
    <div class="panels">
      <Section title={`${error.code ?? error.name}: ${error.message}`} isWide>
        <Facts
          facts={[
            ["Agent", <a href={hrefOf("agents", crash.agent)}>{crash.agent}</a>],
            ["When", <Ago at={crash.timestamp} />],
            ["At", error.at ?? "unknown"],
            ...(trace === null
              ? []
              : ([["Trace", <a href={hrefOf("traces", trace)}>{trace}</a>]] as const)),
          ]}
        />
        {error.causes.map(({ name, code, message: text, at }, index) => (
          <p key={index}>
            because of <b>{code ?? name}</b>: {text} {at === null ? "" : `at ${at}`}
          </p>
        ))}
      </Section>
      {message === null ? null : (
        <Section title="The message at hand">
          <Facts
            facts={[
              ["Type", message.type],
              ["From", message.sender === "" ? "outside" : message.sender],
              ["Sent", <Ago at={message.timestamp} />],
              ["Id", message.id],
            ]}
          />
          {record?.message == null ? null : (
            <Json value={record.message.payload} label="Payload of the message" />
          )}
        </Section>
      )}
      {record === null ? null : <CrashRecord record={record} />}
      <Section title="Stack" isWide>
        <pre class="code" tabIndex={0} role="region" aria-label="Stack">
          {error.stack.join("\n")}
        </pre>
      </Section>
    </div>
  );
}
