import { durationBounds, type HistogramValue } from "../../core/index.ts";

/** The content type of the text: the format of Prometheus, version 0.0.4. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

/** Labels of a sample, in their order. */
export type Labels = readonly (readonly [name: string, value: string])[];

/** One line. */
export interface Sample {
  /** Behind the name of the family. Default none. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Samples under one name. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "summary" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * Writes families. One without samples is left out.
 *
 * @returns Lines; the last one ends with a line feed.
 */
export function familiesText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join("");
}

/** @returns The samples of a histogram, its buckets added up as the format wants it. */
export function histogramSamples(labels: Labels, histogram: HistogramValue): Sample[] {
  let count = 0;
  const buckets = histogram.bucketCounts.map((each, index): Sample => {
    count += each;
    const bound = durationBounds[index];
    const le = bound === undefined ? "+Inf" : String(bound);
    return { suffix: "_bucket", labels: [...labels, ["le", le]], value: count };
  });
  return [
    ...buckets,
    { suffix: "_sum", labels, value: histogram.sumSeconds },
    { suffix: "_count", labels, value: histogram.count },
  ];
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = "", labels, value }) => {
    const pairs = labels.map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

/** A label value, as the text format writes it. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
