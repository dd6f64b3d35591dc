import { join } from "node:path";
import { commandPath } from "./server-commands.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { freePort } from "./free-port.ts";
import { startProgram } from "./program.ts";

/** A value that a query gave. */
export interface PrometheusSample {
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

/** A running Prometheus that scrapes one target. */
export interface PrometheusServer extends AsyncDisposable {
  /** Settles when a scrape has succeeded that began after this call. */
  scraped(): Promise<void>;
  /** Runs an instant query of PromQL. */
  query(text: string): Promise<readonly PrometheusSample[]>;
}

/**
 * Starts Prometheus on a free loopback port; it scrapes a target each second and checks rules.
 *
 * @param target Host and port of the target; the path is `/metrics`.
 * @param ruleFiles Absolute paths.
 */
export async function startPrometheus(
  target: string,
  ruleFiles: readonly string[] = [],
): Promise<PrometheusServer> {
  const port = await freePort();
  const folder = createTemporaryFolder({
    "prometheus.yml": JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: ruleFiles,
      scrape_configs: [{ job_name: "agentrt", static_configs: [{ targets: [target] }] }],
    }),
  });
  const program = startProgram(
    commandPath("prometheus") ?? "prometheus",
    [
      `--config.file=${join(folder.path, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder.path, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { timeoutMs: 600_000 },
  );
  await program.waitFor(/Server is ready to receive web requests/);
  const query = async (text: string): Promise<readonly PrometheusSample[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`;
    const answer = (await (await fetch(url)).json()) as {
      status: string;
      error?: string;
      data?: { result: { metric: { [name: string]: string }; value: [number, string] }[] };
    };
    if (answer.status !== "success") throw new Error(`${text}: ${answer.error ?? "no answer"}`);
    return (answer.data?.result ?? []).map(({ metric, value }) => ({
      labels: metric,
      value: Number(value[1]),
    }));
  };
  return {
    query,
    scraped: async () => {
      const beganAtSeconds = Date.now() / 1000;
      // Of `up == 1` it would be the time of the query: only what is selected has the time of its sample.
      const text = `timestamp(up) > ${beganAtSeconds} and up == 1`;
      while ((await query(text)).length === 0)
        await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.asyncDispose]: async () => {
      program.kill("SIGTERM");
      await program.exited();
      folder[Symbol.dispose]();
    },
  };
}
