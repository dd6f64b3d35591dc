import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApplyBody, PlanBody, PlannedNodeBody } from "../src/control/applying/wire-plan.ts";
import { ask, may, Refusal } from "./api.ts";
import { useDraft } from "./drafts.ts";
import { countOf } from "./format.ts";
import { Ago, Ask, Facts, Nothing, type Question, Section, Table, Title } from "./parts.tsx";
import { usePoll } from "./poll.ts";

/** A plan, and the text that it is of. */
interface Planned {
  readonly text: string;
  readonly plan: PlanBody;
}

const marks: { readonly [action: string]: readonly [mark: string, tone: string] } = {
  start: ["+", "good"],
  stop: ["−", "bad"],
  restart: ["↻", "wait"],
  move: ["→", "dull"],
  change: ["~", "wait"],
};

/** What another topology would change, and the change itself. */
export function PlanPage(): JSX.Element {
  const [text, setText] = useDraft("topology", "");
  const [name, setName] = useDraft("name of the topology", "topology.yaml");
  const [planned, setPlanned] = useState<Planned>();
  const [fault, setFault] = useState<readonly string[]>([]);
  const [question, setQuestion] = useState<Question>();
  const apply = usePoll<ApplyBody>("/apply", 3000);
  const makePlan = async (): Promise<void> => {
    setFault([]);
    setPlanned(undefined);
    try {
      const body = { topology: text, name };
      setPlanned({ text, plan: (await ask<PlanBody>("/plan", { method: "POST", body })).body });
    } catch (error) {
      setFault(faultLines(error));
    }
  };
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setName(file.name);
    setText(await file.text());
  };
  const isCurrent = planned?.text === text;
  const act = async (): Promise<void> => {
    await ask("/apply", { method: "POST", body: { topology: text, name } });
    setPlanned(undefined);
    apply.refresh();
  };
  return (
    <main class="page" id="main">
      <div class="bar">
        <Title>Plan and apply</Title>
        <Applied apply={apply.data} />
      </div>
      <Section title="Another topology" isWide>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void makePlan();
          }}
        >
          <label>
            A file of this machine
            <input
              type="file"
              accept=".yaml,.yml,.json"
              onChange={(event) => void read(event.currentTarget.files?.[0])}
            />
          </label>
          <label>
            Its text
            <textarea
              required
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <div class="buttons">
            <button class="primary">Plan</button>
          </div>
        </form>
        {fault.length === 0 ? null : (
          <p class="refused" role="alert">
            {fault.join("\n")}
          </p>
        )}
      </Section>
      {planned === undefined ? null : (
        <Plan
          plan={planned.plan}
          isCurrent={isCurrent}
          onApply={() => setQuestion(applyQuestion(planned.plan, act))}
        />
      )}
      {question === undefined ? null : (
        <Ask question={question} onClose={() => setQuestion(undefined)} />
      )}
    </main>
  );
}

function faultLines(error: unknown): string[] {
  if (!(error instanceof Refusal)) return [error instanceof Error ? error.message : String(error)];
  const { problems } = error.body;
  return Array.isArray(problems) ? problems.map(String) : [error.message];
}

function Applied({ apply }: { readonly apply: ApplyBody | undefined }) {
  if (apply === undefined || apply.status === "none") return null;
  const { status, timestamp, error, late = [] } = apply;
  return (
    <p class={status === "failed" ? "refused" : "done"} role="status">
      The latest apply: {status} {timestamp === undefined ? null : <Ago at={timestamp} />}
      {error === undefined ? "" : `: ${error}`}
      {late.length === 0 ? "" : `; did not stop in time: ${late.join(", ")}`}
    </p>
  );
}

/** How much a plan touches. */
function blastOf({ nodes, counts }: PlanBody): {
  readonly down: number;
  readonly atHand: number;
  readonly waiting: number;
  readonly children: number;
} {
  const hit = nodes.filter(({ action }) => action === "stop" || action === "restart");
  const sum = (of: (node: PlannedNodeBody) => number): number =>
    hit.reduce((total, node) => total + of(node), 0);
  return {
    down: (counts["stop"] ?? 0) + (counts["restart"] ?? 0),
    atHand: sum((node) => node.messages_at_hand),
    waiting: sum((node) => node.messages_waiting),
    children: sum((node) => node.children_count),
  };
}

function applyQuestion(plan: PlanBody, act: () => Promise<void>): Question {
  const { down, atHand, waiting, children } = blastOf(plan);
  return {
    title: "Put this topology in place of the one that runs?",
    text: (
      <p>
        {countOf(down, "node")} stop or restart, with {countOf(atHand, "message")} at hand,{" "}
        {countOf(waiting, "message")} that wait and {countOf(children, "child", "children")}. What
        fails is undone.
      </p>
    ),
    verb: "Apply",
    isDangerous: true,
    act,
  };
}

function Plan(of: {
  readonly plan: PlanBody;
  readonly isCurrent: boolean;
  readonly onApply: () => void;
}): JSX.Element {
  const { plan } = of;
  const { down, atHand, waiting, children } = blastOf(plan);
  const isRefused = plan.needs_restart.length > 0;
  const counts = Object.entries(plan.counts).filter(([, count]) => count > 0);
  return (
    <Section
      title={plan.changes ? "What it changes" : "It changes nothing"}
      extra={
        plan.changes && !isRefused && may("operate") ? (
          <button class="danger" disabled={!of.isCurrent} onClick={of.onApply}>
            {of.isCurrent ? "Apply" : "The text has changed: plan again"}
          </button>
        ) : null
      }
      isWide
    >
      <Facts
        facts={[
          ...counts.map(([action, count]) => [action, count] as const),
          ["Stop or restart", countOf(down, "node")],
          ["At hand there", countOf(atHand, "message")],
          ["Waiting there", countOf(waiting, "message")],
          ["End with them", countOf(children, "child", "children")],
        ]}
      />
      {isRefused ? (
        <p class="refused" role="alert">
          {`It cannot be applied: the process has to be restarted.\n${plan.needs_restart.join("\n")}`}
        </p>
      ) : null}
      {plan.workers_away.length === 0 ? null : (
        <p class="dull">
          No worker is there for {plan.workers_away.join(", ")}: they get it when one comes.
        </p>
      )}
      {plan.parts.map(({ kind, name, action }) => (
        <p key={`${kind} ${name}`}>
          {action} {kind} {name}
        </p>
      ))}
      {plan.nodes.length === 0 ? (
        <Nothing>No node is touched.</Nothing>
      ) : (
        <Nodes nodes={plan.nodes} />
      )}
    </Section>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly PlannedNodeBody[] }): JSX.Element {
  return (
    <Table
      label="Nodes that change"
      rows={nodes}
      keyOf={({ name, action }) => `${action} ${name}`}
      columns={[
        {
          name: "Does",
          show: ({ action }) => {
            const [mark, tone] = marks[action] ?? ["·", "dull"];
            return (
              <span class={`status ${tone}`}>
                <span class="mark" aria-hidden="true">
                  {mark}
                </span>
                {action}
              </span>
            );
          },
        },
        { name: "Node", show: ({ name, kind }) => `${name} (${kind})` },
        {
          name: "Where",
          show: ({ parent, moved_from: from }) =>
            `${parent ?? "the root"}${from === null ? "" : `, from ${from}`}`,
        },
        {
          name: "Because",
          show: ({ because }) => because.map((line) => <div key={line}>{line}</div>),
        },
        { name: "At hand", show: (node) => node.messages_at_hand, isNumber: true },
        { name: "Waiting", show: (node) => node.messages_waiting, isNumber: true },
        {
          name: "Ends with it",
          show: ({ children_count: count, children }) =>
            count === 0
              ? ""
              : `${count}: ${children.join(", ")}${count > children.length ? " …" : ""}`,
        },
        { name: "A crash restarts", show: (node) => node.crash_restarts.join(", ") },
      ]}
    />
  );
}
