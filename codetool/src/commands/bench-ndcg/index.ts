/**
 * The command `bench-ndcg`: how good the ranking of `search` is, on labelled queries.
 *
 *   labelled queries ─ query/ ─▶ places found ─ quality/ ─▶ NDCG, with an interval, against a baseline
 */
export { benchNdcgCommand } from "./command.ts";
