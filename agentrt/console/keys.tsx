import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { KeyBody, KeysBody } from "../src/control/wire.ts";
import { countOf, durationText } from "./format.ts";
import { Nothing, Refused, Section, Status, Table, Unread } from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";

/** Keys that are asked for at first, for each "Show more", and at most. */
const [keyCountStep, keyCountMax] = [100, 1000];
const statuses = ["RUNNING", "SUSPENDED", "CRASHED", "INITIALIZING", "STOPPED"];

function keysPath(
  name: string,
  {
    limit,
    text,
    status,
  }: { readonly limit: number; readonly text: string; readonly status: string },
): string {
  const query = new URLSearchParams({ limit: String(limit) });
  if (text !== "") query.set("contains", text);
  if (status !== "") query.set("status", status);
  return `/agents/${encodeURIComponent(name)}/keys?${query}`;
}

/** The keys of a keyed agent that are there. */
export function Keys({ name }: { readonly name: string }): JSX.Element {
  const [text, setText] = useState("");
  const [status, setStatus] = useState("");
  const [limit, setLimit] = useState(keyCountStep);
  const { data, refusal } = usePoll<KeysBody>(keysPath(name, { limit, text, status }), 3000);
  const hasMore = data?.next !== undefined && data.next !== null;
  return (
    <Section title="Keys" isWide>
      <div class="line">
        <label>
          Keys that contain
          <input
            type="search"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          Of status
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            <option value="">any status</option>
            {statuses.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <Refused refusal={refusal} />
      <Unread unread={data?.unread ?? []} />
      {data === undefined || data.keys.length === 0 ? (
        <Nothing>{data === undefined ? "…" : "No key is there that fits."}</Nothing>
      ) : (
        <KeyTable keys={data.keys} />
      )}
      {hasMore ? (
        <p class="line">
          <span class="dull">
            {countOf(data.keys.length, "key")} are shown, and there are more.
          </span>
          {limit < keyCountMax ? (
            <button onClick={() => setLimit(limit + keyCountStep)}>Show more</button>
          ) : null}
        </p>
      ) : null}
    </Section>
  );
}

function KeyTable({ keys }: { readonly keys: readonly KeyBody[] }): JSX.Element {
  return (
    <Table
      label="Keys"
      rows={keys}
      keyOf={({ name }) => name}
      columns={[
        { name: "Key", show: ({ key, name }) => <a href={hrefOf("agents", name)}>{key}</a> },
        { name: "Status", show: ({ status }) => <Status status={status} /> },
        { name: "Waiting", show: ({ mailbox_depth: depth }) => depth, isNumber: true },
        { name: "Restarts", show: ({ restart_count: count }) => count, isNumber: true },
        { name: "Up", show: ({ uptime_seconds: up }) => durationText(up), isNumber: true },
      ]}
    />
  );
}

/** Asks for the keys of a keyed agent that is open in the tree, and draws nothing. */
export function FollowKeys(of: {
  readonly name: string;
  readonly limit: number;
  readonly text: string;
  readonly status: string;
  readonly onKeys: (name: string, body: KeysBody) => void;
}): null {
  const { data } = usePoll<KeysBody>(keysPath(of.name, of), 3000);
  useEffect(() => {
    if (data !== undefined) of.onKeys(of.name, data);
  }, [data]);
  return null;
}
