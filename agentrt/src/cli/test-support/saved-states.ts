/** State files for the tests of `agentrt state`. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createTemporaryFolder, type TemporaryFolder } from "testkit";
import { SqliteStateStore } from "../../state/index.ts";

const sealed = { __agentrt_enc__: "AQAAAAAA" };

/** A folder whose `agency_state.db`, or another file, holds these texts by agent. */
export async function withStates(
  texts: { readonly [agent: string]: string },
  { folder = createTemporaryFolder(), name = "agency_state.db" } = {},
): Promise<TemporaryFolder> {
  await new SqliteStateStore({ path: join(folder.path, name) }).close();
  const database = new DatabaseSync(join(folder.path, name));
  const insert = database.prepare("INSERT INTO agent_state(agent_name, state) VALUES(?, ?)");
  for (const [agent, text] of Object.entries(texts)) insert.run(agent, text);
  database.close();
  return folder;
}

/** The saved texts of a state file by agent. */
export function statesIn(path: string): { [agent: string]: string } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("SELECT agent_name, state FROM agent_state").all();
    return Object.fromEntries(rows.map((row) => [row["agent_name"], String(row["state"])]));
  } finally {
    database.close();
  }
}

/** A counter, a list, an encrypted state and one that is no JSON. */
export const usual = {
  zoe: "{}",
  ada: '{"count":1,"list":[true]}',
  vault: JSON.stringify(sealed),
  broken: "[1,",
};
