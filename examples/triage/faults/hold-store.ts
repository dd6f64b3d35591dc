/** A copy of the conversations that does not end: it holds the store's file and lets nobody else write. */
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const [path = ""] = process.argv.slice(2);
const store = new DatabaseSync(path);
store.exec("BEGIN IMMEDIATE");
process.stdout.write("holds\n");
// Closed only at the end: what nobody refers to is collected, and its lock with it.
process.stdin.resume().on("end", () => store.close());
