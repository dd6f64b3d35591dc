import type { JSX } from "preact";
import { type DiffLine, diffLines } from "./diff.ts";
import { jsonText } from "./format.ts";

const marks: { readonly [kind in DiffLine["kind"]]: string } = { same: " ", gone: "-", new: "+" };

/** What is different in two values, line by line. */
export function Diff(of: {
  readonly before: unknown;
  readonly after: unknown;
  /** Default `What was edited`. */
  readonly label?: string;
}): JSX.Element {
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={of.label ?? "What was edited"}>
      {diffLines(jsonText(of.before), jsonText(of.after)).map(({ kind, text }, index) => (
        <span key={index} class={kind}>{`${marks[kind]} ${text}\n`}</span>
      ))}
    </pre>
  );
}
