/** Agents that the tests of published agents run: `agents.ts` of a project. */
export const publishedAgents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload, type, signal }: Message) {
    const { say, crash, refuse, hang } = payload as { [key: string]: any };
    if (crash === true) throw new Error("secret detail");
    if (refuse !== undefined) return { error: refuse };
    if (hang !== undefined) {
      console.log("begin " + hang + ";");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      console.log("end " + hang + ";");
      throw signal.reason;
    }
    return { said: say ?? null, type };
  }
}

export class Counter extends Agent {
  override async *handle({ payload }: Message) {
    const { to = 3, failAt = 0, text } = payload as { [key: string]: any };
    for (let number = 1; number <= to; number += 1) {
      if (number === failAt) throw new Error("secret detail");
      yield text === undefined ? { number } : { text: text + number };
    }
  }
}

const text = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: (value: any) =>
      typeof value.word === "string" ? { value } : { issues: [{ path: ["word"], message: "is not a text" }] },
    jsonSchema: {
      input: () => ({ $schema: "x", type: "object", properties: { word: { type: "string" } } }),
      output: () => ({ type: "object" }),
    },
  },
};
const length = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate: (value: any) => ({ value }),
    jsonSchema: {
      input: () => ({ type: "object" }),
      output: () => ({ type: "object", properties: { length: { type: "integer" } }, required: ["length"] }),
    },
  },
};

export class Typed extends Agent {
  static override schemas = { payload: text, reply: length };
  override async handle({ payload }: Message) {
    return { length: String(payload["word"]).length };
  }
}

/** Answers with text, and waits for a person behind each answer. */
export class Clerk extends Agent {
  override async handle({ payload }: Message) {
    if (payload["approval"] === true) await this.suspendForApproval("a refund over 500");
    return { text: "done: " + payload["text"] };
  }
}
`;
