import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { nodeKinds } from "../node-kinds/index.ts";
import { parseTopologyFile, type TopologyCheck } from "./index.ts";
import { fixtures } from "./test-support/read-fixtures.ts";

type Expectation = readonly [
  fixture: string,
  position: string,
  check: TopologyCheck,
  messagePart: string,
  nearest?: string,
];

// Each file of fixtures/err has one fault, and stands here with its place, the check it fails and part of the message.
const expectations: readonly Expectation[] = [
  ["agent-config-list", "4:37", "values", "wanted a mapping"],
  ["agent-no-name", "4:14", "agents-named", "missing: this agent must have a name"],
  ["agent-no-type", "5:9", "agents-named", "missing: it must be a class path such as agents."],
  ["alias-unknown", "2:9", "yaml-syntax", "the alias *root has no anchor before it"],
  ["attach-to-missing", "4:43", "references", 'there is no http_gateway "web" in the tree'],
  [
    "attach-to-not-answered",
    "5:53",
    "references",
    'gateway "web" sets no topology_agent: it must se',
  ],
  ["attach-to-wrong-kind", "5:43", "references", '"a" is of kind agent, wanted http_gateway'],
  ["backoff-base-text", "3:17", "values", "wanted a number of seconds from 0 to 2147483"],
  ["bad-backoff", "6:18", "backoffs", "wanted one of CONSTANT, LINEAR, EXPONENTIAL"],
  ["bad-indent", "3:1", "yaml-syntax", "All mapping items must start at the same column"],
  [
    "bad-strategy",
    "3:13",
    "strategies",
    "wanted one of ONE_FOR_ONE, ONE_FOR_ALL, REST_FOR",
    "ONE_FOR_ONE",
  ],
  ["bad-transport", "2:9", "transport", "wanted one of in_process, zmq, nats; did you mea", "zmq"],
  ["bad-replicas", "3:13", "values", "wanted a whole number from 1 to 5"],
  ["children-not-list", "3:13", "tree-well-formed", "wanted a list of nodes"],
  ["config-not-mapping", "4:48", "values", "wanted a mapping of settings"],
  ["control-character", "2:11", "yaml-syntax", "the control character U+0001 is not allowed in Y"],
  ["directive", "1:1", "yaml-syntax", "is a YAML directive"],
  ["type-leaves-project", "4:31", "values", "wanted a class path such as"],
  ["custom-tag", "1:14", "yaml-syntax", "Unresolved tag: tag:yaml.org,2002:js/function"],
  [
    "duplicate-agent",
    "5:15",
    "no-duplicate-names",
    'duplicate agent name "a": first used at line 4',
  ],
  ["duplicate-key", "3:3", "yaml-syntax", 'the key "name" is twice in one mapping; firs'],
  [
    "duplicate-supervisor",
    "4:27",
    "no-duplicate-names",
    'duplicate supervisor name "root": first used at ',
  ],
  ["empty-file", "1:1", "yaml-syntax", "the file is empty"],
  ["empty-supervision", "2:1", "supervision-present", "the section supervision is empty"],
  ["flag-yes", "4:54", "values", "wanted true or false; yes, no, on and off are st"],
  ["flat-no-type", "4:7", "agents-named", '"a" is neither a supervisor nor an agent: it nee'],
  ["key-beside-agent", "5:7", "tree-well-formed", '"process" is next to "agent:": indent it to m'],
  ["key-in-both-places", "8:9", "tree-well-formed", '"port" is both here and at node level, line '],
  ["key-number", "2:3", "yaml-syntax", "a key must be a string: put it in quotes"],
  ["list-document", "1:1", "supervision-present", "wanted a mapping with the key supervision"],
  ["max-restarts-fraction", "3:17", "max-restarts", "wanted a whole number from 0 to 2147483647"],
  ["max-restarts-negative", "3:17", "max-restarts", "wanted a whole number from 0 to 2147483647"],
  ["max-restarts-text", "4:44", "max-restarts", "wanted a whole number from 0 to 2147483647"],
  ["mcp-header-value", "3:93", "values", "wanted the name of an environment variable"],
  ["mcp-no-command", "3:7", "values", "it must be a command, for transport stdio needs one"],
  ["mcp-same-name", "4:15", "values", "wanted a unique name"],
  ["mcp-url-of-program", "3:39", "values", "wanted no url: it belongs to transport http or sse"],
  ["merge-key", "3:8", "yaml-syntax", 'the value of "<<" must be a mapping'],
  [
    "module-without-class",
    "4:7",
    "agents-named",
    "missing: it must be the name of the class in the",
  ],
  [
    "name-conflict",
    "5:15",
    "no-name-conflicts",
    'agent and supervisor share the name "root": firs',
  ],
  ["name-implied", "5:14", "no-name-conflicts", 'the name "topology_server_gateway" is taken by a'],
  ["name-number", "4:22", "agents-named", "wanted a string; put quotes around a number"],
  ["name-reserved", "4:22", "agents-named", "wanted a name of 1 to 255 characters without spa"],
  ["name-with-space", "4:22", "agents-named", "wanted a name of 1 to 255 characters without spa"],
  [
    "nested-empty",
    "6:9",
    "no-empty-supervisors",
    "this supervisor has no children: it must have at",
  ],
  ["no-supervision", "1:1", "supervision-present", "the section supervision is missing"],
  [
    "node-formless",
    "4:7",
    "tree-well-formed",
    "this node is neither a supervisor nor an agent: ",
    "agent",
  ],
  [
    "node-kind-as-key",
    "4:7",
    "tree-well-formed",
    "this node is neither a supervisor nor an agent: ",
  ],
  [
    "node-kind-misspelt",
    "4:26",
    "tree-well-formed",
    'unknown node type "http_gatway"; did you mean "h',
    "http_gateway",
  ],
  [
    "node-kind-under-agent",
    "4:14",
    "tree-well-formed",
    '"type: http_gateway" is not an agent: write the ',
  ],
  ["node-scalar", "4:7", "tree-well-formed", "wanted an agent, a supervisor or another node"],
  ["not-utf8", "2:12", "yaml-syntax", "the file is not UTF-8 text"],
  ["null-document", "1:1", "supervision-present", "wanted a mapping with the key supervision"],
  ["plugin-no-type", "2:10", "values", "missing: it must be a built-in name, a short nam"],
  ["state-config", "2:36", "keys-known", 'unknown key "dbpath"', "db_path"],
  ["state-path", "2:45", "values", "wanted the path of a file"],
  ["port-taken", "5:75", "references", '"web" listens on port 8080 of 0.0.0.0 already'],
  ["port-range", "4:46", "values", "wanted a whole number from 0 to 65535"],
  ["process-number", "4:38", "values", "wanted the name of a worker process, a string; p"],
  [
    "root-empty-children",
    "3:3",
    "no-empty-supervisors",
    "this supervisor has no children: it must have at",
  ],
  [
    "root-no-children",
    "2:3",
    "no-empty-supervisors",
    "this supervisor has no children: it must have at",
  ],
  ["root-no-name", "2:3", "agents-named", "missing: this supervisor must have a name"],
  [
    "publish-agent",
    "5:69",
    "references",
    'there is no agent "greter" in the tree; did you mean "greeter"?',
    "greeter",
  ],
  [
    "publish-key",
    "5:78",
    "keys-known",
    'unknown key "discription"; did you mean "description"?',
    "description",
  ],
  ["publish-none", "5:49", "references", "mcp and a2a are both false, wanted one of them"],
  ["publish-twice", "5:69", "references", '"greeter" is published twice'],
  ["root-not-mapping", "1:14", "tree-well-formed", "wanted a supervisor with name and children"],
  [
    "route-agent",
    "5:81",
    "references",
    'there is no agent "greter" in the tree; did you ',
    "greeter",
  ],
  [
    "route-capability",
    "5:86",
    "references",
    'no agent in the tree declares the capability "gret"; did',
    "greet",
  ],
  ["route-no-recipient", "5:49", "references", "an agent is missing, or a capability in its place"],
  [
    "route-two-recipients",
    "5:102",
    "references",
    "agent and capability are both there, wanted one of them",
  ],
  ["route-method", "5:59", "values", "wanted one of GET, POST, PUT, PATCH, DELETE, HEA", "GET"],
  ["route-path", "5:70", "values", "wanted a path that begins with /, whose placehol"],
  ["route-supervisor", "5:81", "references", '"root" is a supervisor, wanted an agent'],
  ["tab-indent", "2:1", "yaml-syntax", "Tabs are not allowed as indentation"],
  [
    "topology-agent-missing",
    "4:56",
    "references",
    'there is no topology_server "topology_server" in',
  ],
  ["transport-not-mapping", "1:12", "transport", "wanted a mapping"],
  ["two-documents", "2:1", "yaml-syntax", "a topology file holds one document, and a second"],
  [
    "two-supervisions",
    "2:1",
    "supervision-present",
    '"supervisor" means "supervision", which is at',
  ],
  ["type-absolute", "4:31", "values", "wanted a class path such as agents.GreeterAgent,"],
  ["type-node-module", "4:31", "values", "wanted a class path such as agents.GreeterAgent,"],
  ["type-number", "4:24", "values", "wanted a class path such as agents.GreeterAgent,"],
  ["unclosed", "1:38", "yaml-syntax", "this [ is not closed"],
  [
    "unknown-agent-key",
    "4:36",
    "keys-known",
    'unknown key "proces"; did you mean "process"?',
    "process",
  ],
  ["unknown-gateway-key", "6:17", "keys-known", 'unknown key "prot"; did you mean "port"?', "port"],
  ["unknown-route-key", "9:48", "keys-known", 'unknown key "mod"; did you mean "mode"?', "mode"],
  [
    "unknown-section",
    "1:1",
    "keys-known",
    'unknown key "plugin"; did you mean "plugins"?',
    "plugins",
  ],
  [
    "unknown-supervisor-key",
    "3:3",
    "keys-known",
    'unknown key "backof"; did you mean "backoff"?',
    "backoff",
  ],
  [
    "unknown-transport-key",
    "1:26",
    "keys-known",
    'unknown key "url"; did you mean "servers"?',
    "servers",
  ],
  ["window-infinite", "3:19", "values", "a number must be finite"],
  ["window-zero", "3:19", "values", "wanted a number of seconds above 0, at most 2147"],
  ["ws-route-agent", "4:71", "references", 'there is no agent "nobody" in the tree'],
];

for (const [fixture, position, check, messagePart, nearest] of expectations) {
  test(`parseTopology() of err/${fixture} reports one problem at ${position}`, () => {
    const parsed = parseTopologyFile(`${fixtures}err/${fixture}.yaml`, {
      kinds: nodeKinds,
    });
    assert.equal(parsed.topology, undefined);
    const [problem, ...others] = parsed.problems;
    assert.ok(problem);
    assert.deepEqual(others, []);
    assert.equal(`${problem.line1}:${problem.column1}`, position);
    assert.equal(problem.check, check);
    assert.ok(problem.message.includes(messagePart), problem.message);
    assert.ok(!problem.message.includes("\n"));
    assert.equal(problem.nearest, nearest);
    assert.equal(problem.fileName, `${fixtures}err/${fixture}.yaml`);
  });
}

test("parseTopology() has an expectation for every file of fixtures/err", () => {
  const files = readdirSync(`${fixtures}err`).map((file) => file.replace(/\.yaml$/, ""));
  assert.deepEqual(files.sort(), expectations.map(([fixture]) => fixture).sort());
});
