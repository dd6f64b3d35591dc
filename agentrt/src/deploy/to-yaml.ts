import { stringify } from "yaml";

/**
 * Writes plain data as YAML, with remarks at its top.
 *
 * @param value Plain data.
 * @param remarks One line each.
 */
export function toYaml(value: object, remarks: readonly string[] = []): string {
  const top = remarks.map((line) => `# ${line}\n`).join("");
  return `${top}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
