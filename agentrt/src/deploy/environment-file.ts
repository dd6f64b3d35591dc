import type { DeployedFile } from "./deployed-file.ts";
import type { Deployment } from "./deployment.ts";

/** @returns The file of the variables; only its owner may read it, since people fill keys in. */
export function environmentFile({ variables }: Pick<Deployment, "variables">): DeployedFile {
  const lines = variables.map(({ name, value, remark }) => `# ${remark}\n${name}=${value}\n`);
  return { path: ".env", content: lines.join("\n"), isSecret: true };
}
