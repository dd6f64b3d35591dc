import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds } from "../node-kinds/index.ts";
import { formatProblem, parseTopology } from "./index.ts";

const rest = `plugins:
  models:
    - { type: openai, name: main, config: { default_model: big } }
    - { type: openai, name: small, config: { default_model: small } }
    - { type: openai, name: bare }
    - { type: models.Own, name: own }
mcp:
  servers:
    - { name: files, command: files-server }
supervision:
  name: root
  children:
    - agent: { name: pricing, type: agents.Pricing }
    - supervisor:
        name: inner
        children:
          - { name: sessions, type: keyed, class: agents.Session, key: id }
          - { name: workers, type: pool, class: agents.Worker, min: 1, max: 2 }
`;

function parse(resilience: string, tree = rest) {
  return parseTopology(`resilience:\n${resilience}${tree}`, {
    fileName: "t.yaml",
    kinds: nodeKinds,
  });
}

test("a whole section is read, and kept as it is in the file", () => {
  const { topology, problems } = parse(`  models:
    main:
      retry: { max_retries: 1, backoff_base: 0, backoff_max: 2 }
      timeout: 20
      circuit_breaker:
        { failure_rate: 1, min_calls: 1, window: 10, open_for: 5, probes: 2, slow_call: 0.5 }
      fallback: [small, own]
    small: { fallback: own }
  agents:
    pricing: { timeout: 2 }
    sessions: { circuit_breaker: {} }
    workers: { retry: {} }
  tools:
    files: { retry: {} }
`);
  assert.deepEqual(problems.map(formatProblem), []);
  assert.deepEqual(topology?.targets.models?.["main"]?.fallback, ["small", "own"]);
  assert.deepEqual(Object.keys(topology?.resilience ?? {}), ["models", "agents", "tools"]);
});

for (const [title, section, ...wanted] of [
  [
    "a misspelt key",
    "  models:\n    main: { circuit_braker: {} }\n",
    't.yaml:3:13: resilience.models.main.circuit_braker: unknown key "circuit_braker"; did you mean "circuit_breaker"?',
  ],
  [
    "a fallback of an agent",
    "  agents:\n    pricing: { fallback: other }\n",
    't.yaml:3:16: resilience.agents.pricing.fallback: unknown key "fallback"; known are retry, timeout, circuit_breaker',
  ],
  [
    "numbers out of their range",
    "  models:\n    main:\n      timeout: 0\n      circuit_breaker: { failure_rate: 50, probes: 0 }\n",
    "t.yaml:4:16: resilience.models.main.timeout: found number 0, wanted a number of seconds above 0, at most 2147483",
    "t.yaml:5:40: resilience.models.main.circuit_breaker.failure_rate: found number 50, wanted a share of calls above 0, at most 1",
    "t.yaml:5:52: resilience.models.main.circuit_breaker.probes: found number 0, wanted a whole number from 1 to 1000",
  ],
  [
    "names of what is not there",
    "  models:\n    mian: {}\n  agents:\n    pricng: {}\n    inner: {}\n  tools:\n    search: {}\n",
    't.yaml:3:5: resilience.models.mian: there is no model provider "mian"; did you mean "main"?',
    't.yaml:5:5: resilience.agents.pricng: there is no agent "pricng"; did you mean "pricing"?',
    't.yaml:6:5: resilience.agents.inner: "inner" is a supervisor, wanted an agent',
    't.yaml:8:5: resilience.tools.search: there is no tool server "search"; there are files',
  ],
  [
    "fallbacks that are not there, or have no model of their own",
    "  models:\n    main: { fallback: smal }\n    small: { fallback: [own, bare] }\n",
    't.yaml:3:23: resilience.models.main.fallback: there is no model provider "smal"; did you mean "small"?',
    't.yaml:4:30: resilience.models.small.fallback[1]: "bare" has no default_model in its config: a fallback is asked for that',
  ],
  [
    "fallbacks that come back to where they began",
    "  models:\n    main: { fallback: small }\n    small: { fallback: [own, main] }\n    own: { fallback: own }\n",
    "t.yaml:3:23: resilience.models.main.fallback: the fallbacks come back to where they began: main -> small -> main",
    "t.yaml:5:22: resilience.models.own.fallback: the fallbacks come back to where they began: own -> own",
  ],
] as const) {
  test(`${title} in resilience is refused where it is`, () => {
    assert.deepEqual(parse(section).problems.map(formatProblem), wanted);
  });
}

test("an agent that may be spawned later is a note, a misspelt one a fault", () => {
  const tree = `supervision:
  name: root
  children:
    - agent: { name: pricing, type: agents.Pricing }
    - { name: spawner, type: dynamic_supervisor }
`;
  const { problems, notes } = parse("  agents:\n    session-1: {}\n", tree);
  assert.deepEqual(problems, []);
  assert.equal(notes.length, 1);
  assert.equal(parse("  agents:\n    pricin: {}\n", tree).problems.length, 1);
});
