/** What a thread of the index begins with, but in the one-file executable. */
import { serveGathering } from "./worker.ts";

serveGathering();
