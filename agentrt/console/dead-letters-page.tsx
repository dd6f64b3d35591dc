import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DeadLetterBody, DeadLettersBody } from "../src/control/wire.ts";
import { ask, may } from "./api.ts";
import { countText } from "./format.ts";
import { Ago, Ask, Nothing, type Question, Refused, Section, Table, Title } from "./parts.tsx";
import { usePoll } from "./poll.ts";
import { hrefOf } from "./route.ts";

const meanings: { readonly [reason: string]: string } = {
  noRoute: "nobody has the name",
  refused: "the mailbox is full, or takes nothing",
  expired: "its time was over",
  stopped: "its agent has stopped",
  crashed: "its agent crashed with it",
  skipped: "its agent gave it up",
  removed: "somebody took it out",
};

/** Messages that nobody handled. */
export function DeadLettersPage(): JSX.Element {
  const { data, refusal, refresh } = usePoll<DeadLettersBody>("/dead-letters", 3000);
  const [filter, setFilter] = useState("");
  const [question, setQuestion] = useState<Question>();
  const word = filter.toLowerCase();
  const letters = (data?.dead_letters ?? [])
    .toReversed()
    .filter(({ recipient, sender, type, reason }) =>
      `${recipient} ${sender} ${type} ${reason}`.toLowerCase().includes(word),
    );
  return (
    <main class="page" id="main">
      <div class="bar">
        <Title>Dead letters</Title>
        <input
          type="search"
          data-filter
          aria-label="Dead letters with this text"
          placeholder="Filter ( / )"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <p class="counts" role="status">
          {Object.entries(data?.counts ?? {})
            .filter(([, count]) => count > 0)
            .map(([reason, count]) => (
              <span key={reason} title={meanings[reason]}>
                {reason} {countText(count)}
              </span>
            ))}
        </p>
      </div>
      <Refused refusal={refusal} />
      <Section title="Messages that nobody handled, the latest first" isWide>
        {letters.length === 0 ? (
          <Nothing>{data === undefined ? "Loading…" : "There is none."}</Nothing>
        ) : (
          <Letters letters={letters} onReplay={(letter) => setQuestion(replay(letter, refresh))} />
        )}
      </Section>
      {question === undefined ? null : (
        <Ask question={question} onClose={() => setQuestion(undefined)} />
      )}
    </main>
  );
}

function replay({ id, recipient, type }: DeadLetterBody, onDone: () => void): Question {
  return {
    title: `Send it to ${recipient} again?`,
    text: (
      <p>{type} is sent once more, with a new id. Nobody gets its reply. Mend the agent first.</p>
    ),
    verb: "Replay",
    act: async () => {
      const path = `/dead-letters/${encodeURIComponent(id ?? "")}/replay`;
      await ask(path, { method: "POST", body: {} });
      onDone();
    },
  };
}

function Letters(of: {
  readonly letters: readonly DeadLetterBody[];
  readonly onReplay: (letter: DeadLetterBody) => void;
}): JSX.Element {
  const link = (name: string): JSX.Element =>
    name === "" ? <span class="dull">outside</span> : <a href={hrefOf("agents", name)}>{name}</a>;
  return (
    <Table
      label="Dead letters"
      rows={of.letters}
      keyOf={({ id, timestamp }, index) => `${id ?? ""} ${timestamp} ${index}`}
      columns={[
        { name: "Given up", show: ({ timestamp }) => <Ago at={timestamp} /> },
        { name: "Why", show: ({ reason }) => <span title={meanings[reason]}>{reason}</span> },
        { name: "Type", show: ({ type }) => type },
        { name: "To", show: ({ recipient }) => link(recipient) },
        { name: "From", show: ({ sender }) => link(sender) },
        {
          name: "Trace",
          show: ({ trace_id: id }) =>
            id === null || id === "" ? "" : <a href={hrefOf("traces", id)}>{id.slice(0, 8)}</a>,
        },
        {
          name: "Again",
          show: (letter) =>
            letter.replayable === true && letter.id !== null && may("operate") ? (
              <button onClick={() => of.onReplay(letter)}>Replay</button>
            ) : (
              ""
            ),
        },
      ]}
    />
  );
}
