import { writeHeapSnapshot } from "node:v8";
import { readFileSync, rmSync } from "node:fs";
import { Agent, child, Runtime, supervisor } from "agentrt";
class IdleAgent extends Agent { override async handle() { return { isUp: true }; } }
const n = Number(process.argv[2] ?? 5000);
const mk = async (count: number) => { const r = new Runtime({ supervision: supervisor("root", { children: Array.from({ length: count }, (_, i) => child(IdleAgent, `agent-${i}`)) }) }); await r.start(); return r; };
function agg(): Map<string, [number, number]> {
  globalThis.gc?.();
  const f = writeHeapSnapshot("/tmp/mem/x.heapsnapshot");
  const s = JSON.parse(readFileSync(f, "utf8")); rmSync(f);
  const { node_fields: nf, node_types: nt } = s.snapshot.meta; const w = nf.length;
  const ti = nf.indexOf("type"), ni = nf.indexOf("name"), si = nf.indexOf("self_size");
  const m = new Map<string, [number, number]>();
  for (let i = 0; i < s.nodes.length; i += w) {
    const type = nt[0][s.nodes[i + ti]]; let name = s.strings[s.nodes[i + ni]];
    if (type === "string" || type === "concatenated string") name = "(string)";
    const k = `${type}:${String(name).slice(0, 60)}`; const e = m.get(k) ?? [0, 0]; e[0] += 1; e[1] += s.nodes[i + si]; m.set(k, e);
  }
  return m;
}
const r0 = await mk(10);
const a = agg();
const r = await mk(n);
await new Promise((r) => setTimeout(r, 100));
const b = agg();
const rows = [...b].map(([k, [c, s]]) => { const [c0, s0] = a.get(k) ?? [0, 0]; return [k, (c - c0) / n, (s - s0) / n] as const; }).filter(([, , s]) => s > 4).sort((x, y) => y[2] - x[2]);
let t = 0; for (const [k, c, s] of rows) { t += s; console.log(s.toFixed(1).padStart(8), c.toFixed(2).padStart(6), k); }
console.log("total", t.toFixed(0));
await r.stop(); await r0.stop();
