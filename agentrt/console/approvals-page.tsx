import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApprovalBody, ApprovalsBody } from "../src/control/wire.ts";
import { ask, may } from "./api.ts";
import { Diff } from "./diff-view.tsx";
import { useDraft } from "./drafts.ts";
import { countOf, jsonText, untilText } from "./format.ts";
import {
  Ago,
  Ask,
  Facts,
  Json,
  Nothing,
  type Question,
  Refused,
  Section,
  Status,
  Title,
} from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";

const statuses = ["pending", "approved", "denied", "expired"];

/** What agents asked people to approve. */
export function ApprovalsPage({ id }: { readonly id: string }): JSX.Element {
  const [status, setStatus] = useState("pending");
  const path = `/approvals?limit=200${status === "" ? "" : `&status=${status}`}`;
  const { data, refusal, refresh } = usePoll<ApprovalsBody>(path, 2000);
  return (
    <main class="page" id="main">
      <div class="bar">
        <Title>Approvals</Title>
        <select
          aria-label="Approvals of status"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        >
          {statuses.map((each) => (
            <option key={each}>{each}</option>
          ))}
          <option value="">any status</option>
        </select>
        <span class="dull" role="status">
          {data === undefined
            ? ""
            : `${countOf(data.approvals.length, "approval")}${data.next === null ? "" : " and more"}`}
        </span>
      </div>
      <Refused refusal={refusal} />
      {data?.groups_unread === undefined ? null : (
        <p class="refused" role="alert">
          Some are missing: the states of process group {data.groups_unread.join(", ")} cannot be
          read.
        </p>
      )}
      <div class="sides">
        <List approvals={data?.approvals} current={id} />
        {id === "" ? (
          <Nothing>Choose one to see what would be done.</Nothing>
        ) : (
          <Approval key={id} id={id} onDone={refresh} />
        )}
      </div>
    </main>
  );
}

function List(of: {
  readonly approvals: readonly ApprovalBody[] | undefined;
  readonly current: string;
}): JSX.Element {
  if (of.approvals === undefined) return <Nothing>Loading…</Nothing>;
  if (of.approvals.length === 0) return <Nothing>Nothing is to be decided.</Nothing>;
  return (
    <ul class="list" aria-label="Approvals">
      {of.approvals.map(({ id, agent, kind, status, created_at: at, expires_at: end }) => (
        <li key={id}>
          <a href={hrefOf("approvals", id)} aria-current={id === of.current ? "true" : undefined}>
            <b>{kind}</b> <Status status={status} />
            <span class="dull">
              {agent}, <Ago at={at} />
              {status === "pending" ? `, ends ${untilText(end)}` : ""}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Approval(of: { readonly id: string; readonly onDone: () => void }): JSX.Element {
  const path = `/approvals/${encodeURIComponent(of.id)}`;
  const { data: approval, refusal, refresh } = usePoll<ApprovalBody>(path, 2000);
  if (approval === undefined)
    return refusal === undefined ? <Nothing>Loading…</Nothing> : <Refused refusal={refusal} />;
  const done = (): void => {
    refresh();
    of.onDone();
  };
  const { edited_payload: edited } = approval;
  return (
    <div class="stack">
      <Section title={approval.kind} extra={<Status status={approval.status} />}>
        <Facts
          facts={[
            ["Agent", <a href={hrefOf("agents", approval.agent)}>{approval.agent}</a>],
            ["Asked", <Ago at={approval.created_at} />],
            [
              approval.status === "pending" ? "Ends" : "Would have ended",
              approval.status === "pending" ? (
                untilText(approval.expires_at)
              ) : (
                <Ago at={approval.expires_at} />
              ),
            ],
            ["Id", approval.id],
            ...(approval.decided_at === null
              ? []
              : ([
                  ["Decided", <Ago at={approval.decided_at} />],
                  ["By", approval.principal ?? "nobody"],
                  ["The agent has got it", approval.delivered ? "yes" : "not yet"],
                ] as const)),
            ...(approval.note === null ? [] : ([["Note", approval.note]] as const)),
          ]}
        />
        <h3>Payload</h3>
        {edited === null ? (
          <Json value={approval.payload} label="Payload" />
        ) : (
          <Diff before={approval.payload} after={edited} />
        )}
      </Section>
      {approval.status === "pending" && may("approve") ? (
        <Decision approval={approval} onDone={done} />
      ) : null}
    </div>
  );
}

/** Undefined where it is what was asked for; a text where it is no object of JSON. */
function readEdited(text: string, before: object): object | string | undefined {
  if (text === jsonText(before)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return "The payload must be an object.";
    return jsonText(value) === jsonText(before) ? undefined : value;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function Decision(of: { readonly approval: ApprovalBody; readonly onDone: () => void }) {
  const { approval } = of;
  const initial = jsonText(approval.payload);
  const [text, setText, forgetText] = useDraft(`payload of ${approval.id}`, initial);
  const [note, setNote, forgetNote] = useDraft(`note on ${approval.id}`, "");
  const [question, setQuestion] = useState<Question>();
  const edited = readEdited(text, approval.payload);
  const decide = (verb: "approve" | "deny", body: object) => async (): Promise<void> => {
    await ask(`/approvals/${encodeURIComponent(approval.id)}/${verb}`, { method: "POST", body });
    forgetText();
    forgetNote();
    of.onDone();
  };
  const noted = note.trim() === "" ? {} : { note: note.trim() };
  const isEdited = typeof edited === "object";
  const approve: Question = {
    title: `Approve ${approval.kind} of ${approval.agent}?`,
    text: isEdited ? (
      <Diff before={approval.payload} after={edited} />
    ) : (
      <Json value={approval.payload} label="Payload" />
    ),
    verb: isEdited ? "Approve as edited" : "Approve",
    act: decide("approve", { ...noted, ...(isEdited ? { payload: edited } : {}) }),
  };
  const deny: Question = {
    title: `Deny ${approval.kind} of ${approval.agent}?`,
    text: <p>The agent gets the denial, and can ask again.</p>,
    verb: "Deny",
    isDangerous: true,
    act: decide("deny", noted),
  };
  return (
    <Section title="Decide">
      {approval.schema === null ? (
        <p class="dull">This payload cannot be edited.</p>
      ) : (
        <>
          <label>
            Payload to approve
            <textarea
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          {typeof edited === "string" ? <p class="refused">{edited}</p> : null}
          {isEdited ? <Diff before={approval.payload} after={edited} /> : null}
          <details>
            <summary>What it has to fit</summary>
            <Json value={approval.schema} label="Schema" />
          </details>
        </>
      )}
      <label>
        Note, for the audit log
        <input
          maxLength={4096}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button class="danger" onClick={() => setQuestion(deny)}>
          Deny
        </button>
        <button
          class="primary"
          disabled={typeof edited === "string"}
          onClick={() => setQuestion(approve)}
        >
          {approve.verb}
        </button>
      </div>
      {question === undefined ? null : (
        <Ask question={question} onClose={() => setQuestion(undefined)} />
      )}
    </Section>
  );
}
