import { createRedactor, type Redactor } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";

/** What keeps the values of variables out of a log. */
export interface ValueMask {
  readonly mask: (text: string) => string;
  readonly maskData: (data: unknown) => unknown;
}

/** Fields of every line, which say nothing of a topology. */
const ownFields: ReadonlySet<string> = new Set(["time", "level"]);

/**
 * Makes what takes secrets out of the log of a run, and the values of the variables that were put into its topology.
 *
 * @param environment The values of its secrets are kept out of every line.
 * @param variables Those of the topology.
 */
export function createRunRedactor(
  environment: CommandIo["environment"],
  variables: ValueMask | undefined,
): Redactor {
  const redactor = createRedactor(environment);
  if (variables === undefined) return redactor;
  return {
    text: (given) => variables.mask(redactor.text(given)),
    json: (name, value) => {
      const json = redactor.json(name, value);
      if (json === undefined || ownFields.has(name)) return json;
      return JSON.stringify(variables.maskData(JSON.parse(json)));
    },
  };
}
