/**
 * The commands of `agentrt`: one file each, and their table. Help, completions and parsing come from the table.
 *
 * A command must not read `process.argv` or set the exit code: `main.ts` does both.
 */
import { auditTailCommand } from "./audit-tail.ts";
import { auditVerifyCommand } from "./audit-verify.ts";
import {
  approvalsApproveCommand,
  approvalsDenyCommand,
  approvalsListCommand,
  approvalsShowCommand,
} from "../approvals/index.ts";
import { budgetListCommand } from "./budget-list.ts";
import { budgetResetCommand } from "./budget-reset.ts";
import { callCommand } from "./call.ts";
import type { CommandSpec } from "../command.ts";
import { crashListCommand, crashShowCommand } from "../crashes/index.ts";
import { createCompletionCommand } from "./completion.ts";
import { dashboardCommand } from "./dashboard.ts";
import { telemetryCommand } from "./telemetry.ts";
import { deadLettersCommand } from "./dead-letters.ts";
import { drainCommand } from "./drain.ts";
import { doctorCommand } from "./doctor.ts";
import { costCommand } from "./cost.ts";
import { describeCommand } from "./describe.ts";
import { eventsCommand } from "./events.ts";
import { logsCommand } from "./logs.ts";
import { psCommand } from "./ps.ts";
import { topCommand } from "./top.ts";
import { initCommand } from "./init.ts";
import { injectCommand } from "./inject.ts";
import { mailboxCommand } from "./mailbox.ts";
import { mcpCommand } from "./mcp.ts";
import { restartCommand } from "./restart.ts";
import { resumeCommand } from "./resume.ts";
import { runCommand } from "./run.ts";
import { simCommand } from "./sim.ts";
import { securityInitCommand } from "./security-init.ts";
import { suspendCommand } from "./suspend.ts";
import { tracesListCommand, tracesShowCommand } from "../traces/index.ts";
import { topologyApplyCommand } from "./topology-apply.ts";
import { topologyDiffCommand } from "./topology-diff.ts";
import { topologyPlanCommand } from "./topology-plan.ts";
import { stateClearCommand } from "./state-clear.ts";
import { stateListCommand } from "./state-list.ts";
import { stateMigrateCommand } from "./state-migrate.ts";
import { topologyShowCommand } from "./topology-show.ts";
import { topologyValidateCommand } from "./topology-validate.ts";
import { deployCommands } from "./deploy.ts";
import { versionCommand } from "./version.ts";

/** All commands, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  initCommand,
  runCommand,
  callCommand,
  suspendCommand,
  resumeCommand,
  drainCommand,
  restartCommand,
  injectCommand,
  mailboxCommand,
  psCommand,
  topCommand,
  dashboardCommand,
  telemetryCommand,
  describeCommand,
  eventsCommand,
  logsCommand,
  costCommand,
  approvalsListCommand,
  approvalsShowCommand,
  approvalsApproveCommand,
  approvalsDenyCommand,
  deadLettersCommand,
  crashListCommand,
  crashShowCommand,
  tracesListCommand,
  tracesShowCommand,
  simCommand,
  topologyValidateCommand,
  topologyShowCommand,
  doctorCommand,
  mcpCommand,
  stateListCommand,
  stateClearCommand,
  stateMigrateCommand,
  securityInitCommand,
  ...deployCommands,
  budgetListCommand,
  budgetResetCommand,
  auditVerifyCommand,
  auditTailCommand,
  topologyDiffCommand,
  topologyPlanCommand,
  topologyApplyCommand,
  createCompletionCommand(() => commands),
  versionCommand,
];
