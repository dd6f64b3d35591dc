import { type CommandSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";

/** `agentrt state migrate`. */
export const stateMigrateCommand: CommandSpec = {
  words: ["state", "migrate"],
  summary: "copy saved states from one store to another, encrypted ones as they are",
  arguments: [
    {
      name: "src",
      summary: "sqlite:<path>, postgresql://…, nats://host:port/bucket, or a path ending in .db",
    },
    { name: "dst", summary: "where the states go; other agents' states stay there" },
  ],
  flags: [
    { name: "dry-run", summary: "show what would be copied and write nothing; the default" },
    { name: "execute", summary: "copy, all states or none" },
    jsonFlag,
  ],
  examples: [
    ["agentrt state migrate old.db sqlite:new.db", "shows what would be copied"],
    [
      "agentrt state migrate agency_state.db postgresql://me@localhost/states --execute",
      "copies into a database; PGPASSWORD may hold the password",
    ],
  ],
  run: async (input, io) => {
    const isExecuted = input.isSet("execute");
    if (isExecuted && input.isSet("dry-run"))
      throw new cliErrors.USAGE({
        reason: "--dry-run and --execute exclude each other",
        help: "agentrt state migrate --help",
      });
    const { runMigration } = await import("../states/index.ts");
    const [source, destination] = [input.argument("src"), input.argument("dst")];
    await runMigration({ source, destination, isExecuted, isJson: input.isSet("json") }, io);
    return 0;
  },
};
