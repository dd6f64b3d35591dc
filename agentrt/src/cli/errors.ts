import { defineErrors, didYouMean } from "../core/index.ts";

/** Errors of the command line itself. */
export const cliErrors = defineErrors("AGENTRT_CLI", {
  USAGE: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { reason: string; help: string }) => `${d.reason}; see ${d.help}`,
    remedy: "Correct the command line",
  },
  ENV_FILE_UNREADABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) =>
      `Cannot read variables from "${d.path}": ${d.reason}`,
    remedy: "Give --env-from the path of a file with lines such as NAME=value",
  },
  HEADER_INVALID: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { header: string }) => `Cannot send header ${d.header}: "Name: Value" is wanted`,
    remedy: "Write the header as --header 'Name: Value'",
  },
  AGENT_UNREACHABLE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) => `Cannot ask "${d.agent}": ${d.reason}`,
    remedy:
      "`agentrt run` starts a topology; an http_gateway of it needs a call route to the agent",
  },
  NO_SUCH_BUDGET: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { budget: string; path: string; names: readonly string[] }) =>
      `Cannot reset the budget of "${d.budget}": nothing is spent of it in "${d.path}"${didYouMean(d.budget, d.names)}`,
    remedy: "`agentrt budget list` lists the budgets of a store",
  },
  NO_REPLY: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot get a reply from "${d.agent}": ${d.reason}`,
    remedy: "Look at the log of `agentrt run`, or raise --timeout",
  },
  NO_CONTROL_PLANE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { path: string }) =>
      `Cannot ask the running topology: "${d.path}" declares no topology_server`,
    remedy: "Add `- { type: topology_server }` to the tree and run it",
  },
  CONTROL_UNREACHABLE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { url: string; reason: string }) => `Cannot ask ${d.url}: ${d.reason}`,
    remedy: "`agentrt run` starts a topology; --header sends what its authentication wants",
  },
  QUESTION_REFUSED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { route: string; reason: string }) =>
      `Cannot ask the control plane for ${d.route}: ${d.reason}`,
    remedy: "Correct the name; `agentrt ps` lists what runs",
  },
  SPANS_UNREADABLE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { directory: string; reason: string }) =>
      `Cannot read spans in "${d.directory}": ${d.reason}`,
    remedy:
      "Name the folder of the sqlite exporter (db_dir), and an id that `agentrt traces list` prints",
  },
  OPERATION_REFUSED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { act: string; agent: string; reason: string }) =>
      // What the control plane says may begin so already.
      d.reason.startsWith("Cannot ") ? d.reason : `Cannot ${d.act} "${d.agent}": ${d.reason}`,
    remedy:
      "Mend what the message says; `agentrt ps` lists names, `agentrt describe` tells what an agent waits for, `agentrt approvals list` which people are asked",
  },
  CHANGE_REFUSED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { act: string; file: string; reason: string }) =>
      `Cannot ${d.act} "${d.file}": ${d.reason}`,
    remedy: "Mend what the message says; `agentrt topology plan` tells what would change",
  },
  APPROVAL_REFUSED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { act: string; id: string; reason: string }) =>
      `Cannot ${d.act} "${d.id}": ${d.reason}`,
    remedy: "List what waits: `agentrt approvals list`",
  },
  NOTHING_LEFT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: () => "Cannot go on: nothing is left that this program could wait for",
    remedy: "Look for a top-level await in the topology's modules that never settles",
  },
  VIEW_NOT_INSTALLED: {
    exitCode: 1,
    httpStatus: 501,
    isRetryable: false,
    message: (d: { view: string; install: string }) =>
      `Cannot show "agentrt ${d.view}": its library is not installed: ${d.install}`,
    remedy: "install it next to agentrt; `--once` and `--plain` need none",
  },
  KEYS_THERE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { folder: string; names: readonly string[] }) =>
      `Cannot write keys to "${d.folder}": ${d.names.join(", ")} ${d.names.length === 1 ? "is" : "are"} there already`,
    remedy:
      "Give --out another folder, or --force, after which processes with the old keys cannot connect",
  },
  KEYS_UNWRITTEN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { folder: string; reason: string }) =>
      `Cannot write keys to "${d.folder}": ${d.reason}`,
    remedy: "Give --out a folder that can be written",
  },
  TLS_FILE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) => `Cannot use "${d.path}" for TLS: ${d.reason}`,
    remedy:
      "Give --cert, --key and --ca files in PEM form that belong together; nothing was written",
  },
  FILES_THERE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { folder: string; names: readonly string[] }) =>
      `Cannot write to "${d.folder}": ${d.names.join(", ")} ${d.names.length === 1 ? "is" : "are"} there already: nothing was changed`,
    remedy: "Give --output another folder, or --force, which overwrites them",
  },
  FILES_UNWRITTEN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { folder: string; reason: string }) =>
      `Cannot write to "${d.folder}": ${d.reason}`,
    remedy: "Give --output a folder that can be written",
  },
  CANNOT_DEPLOY: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) => `Cannot deploy "${d.path}": ${d.reason}`,
    remedy: "Run the command in the folder of the project, and name files that lie in it",
  },
  NEEDS_TRANSPORT: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { flag: string; wanted: string; transport: string }) =>
      `Cannot run with ${d.flag}: it needs transport ${d.wanted}, found ${d.transport}`,
    remedy: "Set `transport.type` in the topology, or add --transport",
  },
  SPAWN_COUNT: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { found: string; reason: string }) =>
      `Cannot run with --spawn-workers=${d.found}: ${d.reason}`,
    remedy: "Write --spawn-workers for one worker of each process group, or =4, or =heavy=4",
  },
  NOT_TOGETHER: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { flag: string; other: string }) =>
      `Cannot run with both ${d.flag} and ${d.other}`,
    remedy: "A worker starts no others: leave one of the two out",
  },
  OUTSIDE_WORLD: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; what: string; where: string | undefined; seed: number }) =>
      `Cannot simulate "${d.agent}": it waits for ${d.what}${d.where === undefined ? "" : `, at ${d.where}`} (seed ${d.seed})`,
    remedy:
      "A run that waits for the real world cannot be repeated: use sendAfter for time, and put what is outside behind a separate agent that a test can replace",
  },
  STRAY_FAULT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string; place: string | undefined }) =>
      `Cannot go on: a timer or promise of a module failed, and nobody waits for it: ${d.reason}${d.place === undefined ? "" : `, at ${d.place}`}`,
    remedy: "Catch the error where it happens, or await the promise",
  },
  JOB_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string }) => `Cannot finish the runs of one process: ${d.reason}`,
    remedy: "Run `agentrt sim` with --jobs 1, which shows the fault where it happens",
  },
  RECORDING_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) => `Cannot record to "${d.path}": ${d.reason}`,
    remedy: "Name a file in a folder that can be written",
  },
  STAND_INS_WRONG: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { flag: string; type: string; reason: string }) =>
      `Cannot simulate with ${d.flag} ${d.type}: ${d.reason}`,
    remedy:
      "Name a function as <module>#<name> that returns a list of { name, provider } or of tool sources, or the file that `agentrt run --record` has written",
  },
  INVARIANTS_WRONG: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string }) =>
      `Cannot use "${d.type}": it returns no list of invariants, each with a name`,
    remedy: "Return a list of { name, onQuiet(view) }; the type is Invariant of agentrt/testing",
  },
  MCP_PACKAGE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: () => 'Cannot serve tools: the package "@modelcontextprotocol/sdk" is not installed',
    remedy: "npm install @modelcontextprotocol/sdk",
  },
  CONFIRMATION_MISSING: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { command: string; flag: string }) =>
      `Cannot ask before ${d.command}: this is not a terminal, and ${d.flag} was not given: nothing was changed`,
    remedy: "--force, or --yes where the command has that, goes ahead without asking",
  },
  INTERNAL: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string }) => `Cannot go on: ${d.reason}`,
    remedy: "This is a fault of agentrt: report it with the command line that caused it",
  },
  AUDIT_UNREADABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { file: string; reason: string }) =>
      `Cannot read the audit log "${d.file}": ${d.reason}`,
    remedy:
      "Name the file that `audit.path` of the topology names, or agentrt_audit.jsonl in the folder of the state file",
  },
  AUDIT_NO_HEAD: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { store: string; reason: string }) =>
      `Cannot compare with the head of the audit log in "${d.store}": ${d.reason}`,
    remedy:
      "Name the state store of the topology with `--db`, or look only at the lines with `--lines-only`",
  },
});
