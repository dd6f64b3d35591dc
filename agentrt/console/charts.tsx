import type { JSX } from "preact";
import type { OverviewBody } from "../src/control/wire-history.ts";
import { durationText } from "./format.ts";
import { Nothing, Section } from "./parts.tsx";
import { latenciesOf, noteSample, pathOf, type Point, ratesOf } from "./series.ts";

/** How an agent, a pool or a keyed agent has worked since its page was opened. */
export function Charts(of: {
  readonly name: string;
  /** The latest answer about it. */
  readonly body: OverviewBody | undefined;
}): JSX.Element {
  const samples = noteSample(of.name, of.body);
  const seconds = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  return (
    <Section
      title="Lately"
      extra={<span class="dull">{seconds === 0 ? "" : `the last ${durationText(seconds)}`}</span>}
    >
      {samples.length < 2 ? (
        <Nothing>{of.body === undefined ? "…" : "Counting from now on."}</Nothing>
      ) : (
        <div class="charts">
          <Chart title="Messages" points={ratesOf(samples, "handled")} show={rateText} />
          <Chart title="Errors" points={ratesOf(samples, "errors")} show={rateText} isBad />
          <Chart title="Mean time" points={latenciesOf(samples)} show={millisecondsText} />
        </div>
      )}
    </Section>
  );
}

function rateText(rate: number): string {
  if (rate === 0) return "0 /s";
  return rate < 10 ? `${rate.toPrecision(2)} /s` : `${Math.round(rate)} /s`;
}

function millisecondsText(milliseconds: number): string {
  return durationText(milliseconds / 1000);
}

const [width, height] = [240, 48];

function Chart(of: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly show: (value: number) => string;
  readonly isBad?: boolean;
}): JSX.Element {
  const { title, points, show, isBad = false } = of;
  const values = points.flatMap(({ value }) => value ?? []);
  const most = Math.max(0, ...values);
  const last = values.at(-1);
  const now = last === undefined ? "none" : show(last);
  const path = pathOf(points, { width, height, most });
  return (
    <figure class="chart">
      <figcaption>
        {title} <b>{now}</b> {most === 0 ? null : <span class="dull">at most {show(most)}</span>}
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}: now ${now}, at most ${show(most)}`}
        viewBox={`0 -2 ${width} ${height + 4}`}
        preserveAspectRatio="none"
      >
        <path class={isBad ? "curve bad" : "curve"} d={path} />
      </svg>
    </figure>
  );
}
