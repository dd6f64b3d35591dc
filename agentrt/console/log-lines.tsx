import type { JSX } from "preact";
import { fieldsText, valueText } from "./format.ts";
import { Nothing } from "./parts.tsx";
import { hrefOf } from "./route.ts";

type Line = { readonly [name: string]: unknown };

/** Log lines, the latest first. */
export function LogLines({ lines }: { readonly lines: readonly Line[] | undefined }): JSX.Element {
  if (lines === undefined || lines.length === 0)
    return <Nothing>{lines === undefined ? "…" : "No line yet."}</Nothing>;
  return (
    <ol class="log" tabIndex={0} aria-label="Log lines, latest first">
      {lines.toReversed().map((line, index) => (
        <LogLine key={lines.length - index} line={line} />
      ))}
    </ol>
  );
}

function LogLine({ line }: { readonly line: Line }): JSX.Element {
  const { agent: _, time, level, message, traceId, spanId: __, ...fields } = line;
  const trace = typeof traceId === "string" ? traceId : "";
  return (
    <li class={valueText(level)}>
      <time>{valueText(time).replace("T", " ").replace("Z", "")}</time> <b>{valueText(level)}</b>{" "}
      {valueText(message)} <span class="fields">{fieldsText(fields)}</span>{" "}
      {trace === "" ? null : <a href={hrefOf("traces", trace)}>trace {trace.slice(0, 8)}</a>}
    </li>
  );
}
