/** A topology with variables, and what must not be seen of them. */
import assert from "node:assert/strict";

/** Agents that log and answer with their configuration. */
export const agents = `
import { Agent } from "agentrt";
console.log("kinds", "marker");
export class Echo extends Agent {
  override async handle() {
    this.log.info(\`the key is \${String(this.config["key"])}\`, { config: this.config });
    return { config: this.config, kinds: Object.values(this.config).map((value) => typeof value) };
  }
}
export class Fails extends Agent {
  override async handle() {
    return {};
  }
  override async onStart() {
    throw new Error(\`cannot use \${String(this.config["key"])}\`);
  }
}
`;

/** @param extra Lines at its end. */
export function topology(extra = "", type = "agents.Echo"): string {
  return `supervision:
  name: root
  max_restarts: 0
  children:
    - name: echo
      type: ${type}
      config:
        number: \${NUMBER}
        text: "\${NUMBER}"
        preset: \${NOT_THERE:-false}
        escaped: $\${NUMBER}
        joined: \${HOST}:\${NUMBER}
        key: \${SECRET_WORD}
    - name: gateway
      type: http_gateway
      host: 127.0.0.1
      port: \${PORT}
${extra}`;
}

/** By name. */
export type Variables = { readonly [name: string]: string };
/** None of them is a value that the texts hold anyway. */
export const values = { NUMBER: "4711", HOST: "db.example", SECRET_WORD: "sesame-open-77" };

/** Fails when a text holds one of the values. */
export function assertNoValue(text: string, found: Variables = values): void {
  for (const [name, value] of Object.entries(found))
    assert.ok(!text.includes(value), `the value of ${name} is in: ${text}`);
}
