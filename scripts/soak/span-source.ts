import { createRealSystem, type SpanRecord, type System } from "agentrt";

const agents = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
const names = ["send ask", "recv ask", "agentrt.agent.handle", "agentrt.llm.chat"] as const;
let sequence = 0;

/** @returns The part of a system that an exporter asks. */
export function spanSystem(): System {
  return createRealSystem();
}

/**
 * Makes spans as messages between twenty agents leave them: four a trace, one of them a call of a model.
 *
 * @param count How many.
 * @param startMsOf When each begins.
 */
export function makeSpans(count: number, startMsOf: (index: number) => number): SpanRecord[] {
  return Array.from({ length: count }, (_, index): SpanRecord => {
    sequence += 1;
    const trace = Math.floor(sequence / 4);
    const name = names[sequence % 4] ?? "send ask";
    const agent = agents[trace % agents.length] ?? "";
    const startMs = startMsOf(index);
    const isModel = name === "agentrt.llm.chat";
    return {
      name,
      kind: isModel ? "client" : "internal",
      // As those of the runtime: unrelated digits for neighbours.
      traceId: hex(Math.imul(trace + 1, 0x9e3779b1) >>> 0).repeat(4),
      spanId: hex(sequence >>> 0) + hex(Math.imul(sequence, 0x85ebca6b) >>> 0),
      parentSpanId: null,
      startMs,
      endMs: startMs + 1 + (sequence % 50),
      attributes: {
        "agentrt.agent.name": agent,
        "agentrt.message_type": "ask",
        ...(isModel
          ? {
              "agentrt.llm.model": `model-${trace % 3}`,
              "agentrt.llm.tokens_in": 120,
              "agentrt.llm.tokens_out": 30,
              "agentrt.llm.cost_usd": 0.001,
            }
          : { "agentrt.sender": agent, "agentrt.recipient": "other", "agentrt.message_id": "m" }),
      },
      status: sequence % 100 === 0 ? "error" : "ok",
      errorMessage: sequence % 100 === 0 ? "no answer" : null,
    };
  });
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
