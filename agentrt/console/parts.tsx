import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { agoText, jsonText, timeText } from "./format.ts";
import type { UnreadBody } from "../src/control/wire.ts";
import type { Refusal } from "./api.ts";
import { useDraft } from "./drafts.ts";

const marks: { readonly [status: string]: readonly [mark: string, tone: string] } = {
  RUNNING: ["●", "good"],
  INITIALIZING: ["◔", "wait"],
  SUSPENDED: ["‖", "wait"],
  STOPPING: ["◑", "wait"],
  STOPPED: ["○", "dull"],
  CRASHED: ["✖", "bad"],
  pending: ["◔", "wait"],
  approved: ["✔", "good"],
  denied: ["✖", "bad"],
  ok: ["✔", "good"],
  error: ["✖", "bad"],
  expired: ["○", "dull"],
};

/** A status: its colour, its shape and its word. */
export function Status(of: {
  readonly status: string;
  /** True where it is that of a node below. */
  readonly isBelow?: boolean;
}): JSX.Element {
  const { status, isBelow = false } = of;
  const [mark, tone] = marks[status] ?? ["◌", "dull"];
  return (
    <span class={`status ${tone}`}>
      <span class="mark" aria-hidden="true">
        {mark}
      </span>
      {status}
      {isBelow ? " below" : ""}
    </span>
  );
}

/** A moment, as how long ago it was. */
export function Ago({ at }: { readonly at: number }): JSX.Element {
  return <time title={timeText(at)}>{agoText(at)}</time>;
}

/** A part of a page with a heading. */
export function Section(of: {
  readonly title: string;
  readonly extra?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}): JSX.Element {
  return (
    <section class={of.isWide === true ? "panel wide" : "panel"}>
      <header>
        <h2>{of.title}</h2>
        {of.extra}
      </header>
      {of.children}
    </section>
  );
}

/** Names and values. */
export function Facts(of: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {of.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A value as JSON. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {jsonText(value)}
    </pre>
  );
}

/** What takes the place of what is not there. */
export function Nothing({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="nothing">{children}</p>;
}

/** What the server said instead of an answer. */
export function Refused({ refusal }: { readonly refusal: Refusal | undefined }) {
  if (refusal === undefined) return null;
  return (
    <p class="refused" role="alert">
      {refusal.message}
    </p>
  );
}

/** What could not be read, so that something may be missing. */
export function Unread({ unread }: { readonly unread: readonly UnreadBody[] }) {
  const texts = new Set(unread.map(({ source, reason }) => `${source} cannot be read: ${reason}`));
  if (texts.size === 0) return null;
  return (
    <p class="refused" role="alert">
      {[...texts].join("\n")}
    </p>
  );
}

/** A list as a table; on a narrow screen each row is a card. */
export function Table<Row>(of: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  readonly columns: readonly {
    readonly name: string;
    readonly show: (row: Row) => ComponentChildren;
    readonly isNumber?: boolean;
  }[];
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={of.label}>
      <table>
        <thead>
          <tr>
            {of.columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber === true ? "number" : ""}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row, index) => (
            <tr key={of.keyOf(row, index)}>
              {of.columns.map(({ name, show, isNumber }) => (
                <td key={name} data-name={name} class={isNumber === true ? "number" : ""}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A question before something is done. */
export interface Question {
  readonly title: string;
  /** What happens then. */
  readonly text: ComponentChildren;
  /** Label of the button that does it. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** Label of a text that goes with it; absent for none. */
  readonly asksFor?: string;
  /** Does it; what it throws is shown, and the question stays. */
  readonly act: (text: string) => Promise<void>;
}

/** Asks, and does it after a yes. */
export function Ask({ question, onClose }: { question: Question; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText, forgetText] = useDraft(`question ${question.title}`, "");
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const act = async (): Promise<void> => {
    setBusy(true);
    setFault("");
    try {
      await question.act(text.trim());
      forgetText();
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  const { title, verb, asksFor, isDangerous = false } = question;
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="question">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void act();
        }}
      >
        <h2 id="question">{title}</h2>
        <div class="text">{question.text}</div>
        {asksFor === undefined ? null : (
          <label>
            {asksFor}
            <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        )}
        {fault === "" ? null : (
          <p class="refused" role="alert">
            {fault}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class={isDangerous ? "danger" : "primary"} disabled={isBusy}>
            {verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A page's heading, which gets the focus when the page is opened. */
export function Title({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
