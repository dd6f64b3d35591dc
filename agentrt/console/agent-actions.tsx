import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AgentDetailBody } from "../src/control/wire.ts";
import { ask, may } from "./api.ts";
import { Ask, type Question } from "./parts.tsx";

interface OfferedQuestion extends Question {
  /** Whether it makes sense now. */
  readonly isThere: boolean;
}

/** What an operator can do with an agent; each asks before. */
export function AgentActions(of: {
  readonly agent: AgentDetailBody;
  readonly onDone: () => void;
}): JSX.Element | null {
  const { agent } = of;
  const [question, setQuestion] = useState<Question>();
  if (!may("operate")) return null;
  const act = (word: string, body: object) => async (): Promise<void> => {
    await ask(`/agents/${encodeURIComponent(agent.name)}/${word}`, { method: "POST", body });
    of.onDone();
  };
  const withReason = (word: string) => async (reason: string) =>
    await act(word, reason === "" ? {} : { reason })();
  const questions: readonly OfferedQuestion[] = [
    {
      title: `Suspend ${agent.name}?`,
      text: <p>It finishes the message at hand and then waits. What comes meanwhile is kept.</p>,
      verb: "Suspend",
      asksFor: "Reason",
      act: withReason("suspend"),
      isThere: agent.suspension === null,
    },
    {
      title: `Drain ${agent.name}?`,
      text: <p>It handles what waits, takes nothing new, and is suspended then.</p>,
      verb: "Drain",
      asksFor: "Reason",
      act: withReason("drain"),
      isThere: agent.suspension === null && agent.draining === undefined,
    },
    {
      title: `Resume ${agent.name}?`,
      text: <p>It goes on with the messages that wait.</p>,
      verb: "Resume",
      act: act("resume", {}),
      isThere: agent.suspension !== null || agent.draining !== undefined,
    },
    {
      title: `Restart ${agent.name}?`,
      text: (
        <p>
          A new object takes its place.{" "}
          {agent.at_hand.length === 0
            ? "No message is"
            : `${agent.at_hand.length} at hand get time to end, and are lost then;`}{" "}
          {agent.mailbox.depth} waiting are kept.
        </p>
      ),
      verb: "Restart",
      isDangerous: true,
      asksFor: "Reason",
      act: withReason("restart"),
      isThere: true,
    },
  ];
  return (
    <div class="actions">
      {questions
        .filter(({ isThere }) => isThere)
        .map((each) => (
          <button
            key={each.verb}
            class={each.isDangerous === true ? "danger" : ""}
            onClick={() => setQuestion(each)}
          >
            {each.verb}
          </button>
        ))}
      {question === undefined ? null : (
        <Ask question={question} onClose={() => setQuestion(undefined)} />
      )}
    </div>
  );
}
