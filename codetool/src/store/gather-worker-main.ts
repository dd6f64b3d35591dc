/** What a thread of the index begins with, but in the one-file executable. */
import { serveGathering } from "./gather-worker.ts";

serveGathering();
