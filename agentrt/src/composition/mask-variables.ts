import type { Redactor } from "../core/index.ts";
import type { ParsedTopology } from "../topology/index.ts";

/** Fields of every line, which say nothing of a topology. */
const ownFields: ReadonlySet<string> = new Set(["time", "level"]);

/**
 * Adds the values of the variables that were put into a topology to what is kept out of logs and spans.
 *
 * @param redactor What takes secrets out.
 * @param variables What was read from the environment; without it nothing is added.
 * @returns What puts names in place of those values, too.
 */
export function maskVariables(
  redactor: Redactor,
  variables: ParsedTopology["variables"],
): Redactor {
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
