import { z } from "zod";
import { didYouMean, nearestName } from "../core/index.ts";
import { variableNamePattern } from "../state/index.ts";
import { fields, type NodeFinding } from "../topology/index.ts";

const { text, textLike } = fields;

/** Makes the schema of `credentials`: environment variables that hold an agent's own keys, by model provider. */
export function credentialsSchema() {
  return z.record(
    text("the name of a model provider"),
    textLike(variableNamePattern, "the name of an environment variable"),
    { error: "a mapping from model providers to the names of environment variables" },
  );
}

/**
 * Finds credentials for model providers that are not there.
 *
 * @param settings Of a node.
 * @param modelNames The providers of the topology.
 */
export function* checkCredentials(
  {
    credentials = {},
  }: { readonly credentials?: { readonly [provider: string]: string } | undefined },
  modelNames: readonly string[],
): Generator<NodeFinding> {
  for (const provider of Object.keys(credentials)) {
    if (modelNames.includes(provider)) continue;
    const nearest = nearestName(provider, modelNames);
    yield {
      path: ["credentials", provider],
      message: `plugins.models has no provider named "${provider}"${didYouMean(provider, modelNames)}`,
      ...(nearest === undefined ? {} : { nearest }),
    };
  }
}
