import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BundleSource, BundleState, CrashBundle } from "../src/crashes/crash-bundle.ts";
import { Diff } from "./diff-view.tsx";
import { countOf, durationText } from "./format.ts";
import { Facts, Json, Nothing, Section, Table } from "./parts.tsx";

/** What an agent was doing when it crashed. */
export function CrashRecord({ record }: { readonly record: CrashBundle }): JSX.Element {
  const { messages, answers, source, versions } = record;
  return (
    <>
      <Repeat record={record} />
      <States record={record} />
      {source.map((place) => (
        <Source key={`${place.file}:${place.line}:${place.column}`} place={place} />
      ))}
      <Section title="Handled since the checkpoint" isWide>
        {messages.length === 0 ? (
          <Nothing>Nothing was.</Nothing>
        ) : (
          <Table
            label="Messages that were handled since the checkpoint"
            rows={messages}
            keyOf={({ id, sequence }) => `${sequence} ${id}`}
            columns={[
              { name: "No.", show: ({ sequence }) => sequence, isNumber: true },
              { name: "Type", show: ({ type, verb }) => `${type} (${verb})` },
              { name: "From", show: ({ sender }) => (sender === "" ? "outside" : sender) },
              {
                name: "Payload",
                show: ({ payload, id }) => <Fold value={payload} label={`Payload of ${id}`} />,
              },
            ]}
          />
        )}
      </Section>
      <Section title="Answers since then" isWide>
        {answers.length === 0 ? (
          <Nothing>No model, tool or agent answered.</Nothing>
        ) : (
          <Table
            label="Answers"
            rows={answers}
            keyOf={(_, index) => String(index)}
            columns={[
              { name: "Of", show: ({ kind, name }) => `${kind} ${name}` },
              { name: "For message", show: ({ sequence }) => sequence, isNumber: true },
              { name: "Took", show: ({ took_ms: ms }) => durationText(ms / 1000), isNumber: true },
              {
                name: "Asked",
                show: ({ request, name }) => <Fold value={request} label={`Question to ${name}`} />,
              },
              {
                name: "Answered",
                show: ({ reply, error, name }) => (
                  <Fold value={reply ?? error} label={`Answer of ${name}`} />
                ),
              },
            ]}
          />
        )}
      </Section>
      <Section title="Versions">
        <Facts
          facts={[
            ["agentrt", versions.agentrt],
            ["Node", versions.node],
            ["Platform", versions.platform],
            ["Spans of the trace", record.spans.length],
          ]}
        />
      </Section>
    </>
  );
}

/** @returns A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function Repeat({ record }: { readonly record: CrashBundle }) {
  const { repeat, replay } = record;
  const [isCopied, setCopied] = useState(false);
  if (repeat === null) return null;
  const command = ["agentrt", ...repeat].map(quoted).join(" ");
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  // Without TLS, and not on this machine, browsers have no clipboard.
  const canCopy = "clipboard" in navigator;
  return (
    <Section
      title="Repeat it"
      extra={
        canCopy ? <button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</button> : null
      }
    >
      <pre class="code" tabIndex={0} role="region" aria-label="Command that repeats the crash">
        {command}
      </pre>
      {replay.holds ? (
        <p class="dull">
          In the folder of the project. All that the agent did since the checkpoint is in the
          record.
        </p>
      ) : (
        <p class="refused">{`A replay may differ: ${replay.reasons.join("; ")}`}</p>
      )}
    </Section>
  );
}

function stateOf({ state, too_large: isTooLarge }: BundleState): unknown {
  return isTooLarge === true ? "too large to be kept" : state;
}

function States({ record }: { readonly record: CrashBundle }): JSX.Element {
  const { checkpoint, state } = record;
  const before = stateOf(checkpoint.before);
  const after = stateOf(checkpoint.after);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return (
    <Section title="State" extra={<span class="dull">without secrets</span>}>
      <h3>
        {isSame
          ? "The checkpoint, before and after"
          : "The checkpoint, before and after the message"}
      </h3>
      {isSame ? (
        <Json value={before} label="Checkpoint" />
      ) : (
        <Diff before={before} after={after} label="Checkpoint before and after" />
      )}
      <h3>At the crash</h3>
      {state === null ? (
        <Nothing>It is not known.</Nothing>
      ) : (
        <Diff before={after} after={state} label="Checkpoint, and the state at the crash" />
      )}
    </Section>
  );
}

function Source({ place }: { readonly place: BundleSource }): JSX.Element {
  return (
    <Section title={`${place.file}:${place.line}:${place.column}`} isWide>
      <pre
        class="code lines"
        tabIndex={0}
        role="region"
        aria-label={`Lines of ${place.file} at ${place.line}`}
      >
        {place.lines.map(({ line, text }) => (
          <span key={line} class={line === place.line ? "here" : ""}>
            {`${line === place.line ? "▸" : " "} ${String(line).padStart(4)}  ${text}\n`}
          </span>
        ))}
      </pre>
    </Section>
  );
}

/** A value that is shown when it is wanted. */
function Fold({ value, label }: { readonly value: unknown; readonly label: string }): JSX.Element {
  if (value === null || value === undefined) return <span class="dull">not kept</span>;
  const size = typeof value === "object" ? Object.keys(value).length : 1;
  return (
    <details>
      <summary>{countOf(size, "member")}</summary>
      <Json value={value} label={label} />
    </details>
  );
}
