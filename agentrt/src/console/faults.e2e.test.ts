/** The console in a real Chromium where something is wrong: servers that go away, hostile texts, many agents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { skipUnless } from "testkit";
import { ConsoleBrowser } from "./test-support/console-page.ts";
import { startConsole } from "./test-support/running-console.ts";

const needsBrowser = { skip: skipUnless("chromium") };

test(
  "in Chromium: a server that goes away is said, what was known stays, and one that comes back asks for the key",
  needsBrowser,
  async () => {
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    let port: number;
    {
      await using server = await startConsole();
      ({ port } = server);
      await server.signIn(page);
      await page.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
    }
    await page.getByRole("alert").getByText("The server does not answer.").waitFor();
    assert.equal(await page.getByRole("row", { name: /^desk RUNNING/ }).count(), 1);
    await using again = await startConsole({ port });
    await page.getByText("The session is over. Sign in again.").waitFor();
    await again.signIn(page);
    await page.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
  },
);

const hostile = `"'><img src=x onerror=alert(1)><script>alert(2)</script>\${alert(3)}{{alert(4)}}`;

const hostileAgents = `
const hostile = ${JSON.stringify(hostile)};
export class Rogue extends Agent {
  override async handle({ payload, type }: Message) {
    this.state[hostile] = hostile;
    this.log.error(hostile, { [hostile]: hostile });
    if (type === "crash") {
      const error = new Error(hostile, { cause: new Error(hostile) });
      error.name = hostile;
      throw error;
    }
    if (type === "ask") {
      await this.suspendForApproval({
        kind: hostile,
        payload: { [hostile]: hostile },
        schema: { type: "object", description: hostile },
        expiresMs: 3_600_000,
      });
    }
    if (type === "send") await this.cast("rogue", payload, { type: hostile });
    return {};
  }
}
Object.defineProperty(Rogue, "name", { value: hostile });
`;

test(
  "in Chromium: no text of an agent or a caller becomes markup, on any page",
  needsBrowser,
  async () => {
    await using server = await startConsole({
      agents: hostileAgents,
      children: `    - agent: { name: rogue, type: agents.Rogue, capabilities: [${JSON.stringify(hostile)}] }
    - agent: { name: asker, type: agents.Rogue }
    - { name: orders, type: keyed, class: agents.Rogue, key: id }`,
    });
    await using browser = await ConsoleBrowser.start();
    const { page, complaints, origins } = await browser.open();
    await server.signIn(page);
    const inject = async (agent: string, type: string): Promise<void> =>
      await server.post(`/agents/${encodeURIComponent(agent)}/mailbox`, {
        type,
        payload: { [hostile]: hostile, id: hostile },
      });
    await inject("orders", "note");
    await inject("rogue", "send");
    await inject("rogue", hostile);
    await inject("rogue", "crash");
    await inject("asker", "ask");
    await server.post("/agents/rogue/suspend", { reason: hostile });
    await inject("rogue", hostile);
    const settled = async (path: string, isRight: (body: never) => boolean): Promise<void> => {
      while (!isRight(await server.get<never>(path)));
    };
    await settled("/crashes", ({ crashes }: { crashes: object[] }) => crashes.length > 0);
    await settled("/approvals", ({ approvals }: { approvals: object[] }) => approvals.length > 0);
    await settled("/agents/rogue", ({ status }: { status: string }) => status === "SUSPENDED");
    const { crashes } = await server.get<{ crashes: { id: string }[] }>("/crashes");
    const { approvals } = await server.get<{ approvals: { id: string }[] }>("/approvals");
    const { trace_id: trace } = await server.get<{ trace_id: string }>(
      `/crashes/${crashes[0]?.id}`,
    );
    const key = `orders/${hostile}`;
    const places = [
      ["tree", "asker"],
      ["agents/rogue", "Suspended"],
      ["agents/asker", "Suspended"],
      [`agents/${encodeURIComponent(key)}`, key],
      [`agents/${encodeURIComponent(hostile)}`, hostile],
      [`approvals/${approvals[0]?.id}`, "Decide"],
      ["events", "agent.crashed"],
      ["traces", `send ${hostile}`],
      [`traces?agent=${encodeURIComponent(hostile)}`, "No trace fits"],
      ["agents/orders", "Keys"],
      [`traces/${trace}`, "spans in"],
      ["crashes", "Details of"],
      [`crashes/${crashes[0]?.id}`, "because of"],
      ["dead-letters", "crashed"],
      ["plan", "Another topology"],
    ] as const;
    let shownCount = 0;
    for (const [hash, text] of places) {
      await page.goto(`${server.url}#/${hash}`);
      await page.getByText(text).first().waitFor();
      await page.waitForLoadState("networkidle").catch(() => undefined);
      assert.equal(await foreignElements(page), 0, hash);
      if (((await page.locator("body").textContent()) ?? "").includes("onerror=alert(1)"))
        shownCount += 1;
    }
    assert.ok(shownCount >= 9, `${shownCount} pages show it as a text`);
    await page.getByLabel("Its text").fill(`supervision: ${JSON.stringify(hostile)}`);
    await page.getByRole("button", { name: "Plan" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await foreignElements(page), 0);
    assert.deepEqual(complaints, []);
    assert.deepEqual([...origins], [`http://127.0.0.1:${server.port}`]);
  },
);

/** Elements and attributes that the console never makes. */
async function foreignElements(page: Page): Promise<number> {
  const attributes = "[onerror], [onclick], [onload], [srcdoc]";
  return await page.locator(`img, iframe, object, embed, body script, ${attributes}`).count();
}

test(
  "in Chromium: the policy of the page lets no script, style, form or frame of others be",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    await server.signIn(page);
    const attempts = [
      `document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.isIn = true" }))`,
      `document.body.insertAdjacentHTML("beforeend", "<b>markup</b>")`,
      `document.body.append(Object.assign(document.createElement("iframe"), { src: "/ops/console" }))`,
    ];
    for (const attempt of attempts) await page.evaluate(attempt).catch(() => undefined);
    assert.equal(await page.evaluate("globalThis.isIn === true"), false);
    assert.equal(await page.locator("b", { hasText: "markup" }).count(), 0);
    const refusals = complaints.join("\n");
    assert.match(refusals, /trusted ?types?|TrustedHTML|TrustedScript/i);
    assert.match(refusals, /frame/i);
  },
);

test(
  "in Chromium: figures that are asked for come, also where other rows are seen before the server answers",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    const droppedUrls: string[] = [];
    page.on("requestfailed", (request) => droppedUrls.push(request.url()));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/overview?*", async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/overview\?/);
    await server.signIn(page);
    await asked;
    await page.getByLabel("Names that contain").fill("invoices");
    const invoices = page.getByRole("row", { name: /^invoices RUNNING/ });
    await page.getByRole("row", { name: /^desk/ }).waitFor({ state: "detached" });
    assert.equal(await invoices.locator(".col-mailbox").textContent(), "");
    // Time for another question: the tree itself is asked for each 1.5 s.
    for (let count = 0; count < 2; count += 1) await page.waitForResponse(/\/topology/);
    release();
    await invoices.locator(".col-mailbox", { hasText: "0" }).waitFor();
    assert.deepEqual(droppedUrls, []);
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: 10 000 agents are a tree of which a screenful exists, that is filtered and walked through by keys",
  needsBrowser,
  async () => {
    await using server = await startConsole({
      agents: `
export class Spawner extends Agent {
  override async handle() {
    for (let index = 0; index < 10_000; index += 1)
      await this.spawnInto("group" + (index % 100), Desk, "a" + index);
    return {};
  }
}`,
      children: [
        "    - agent: { name: spawner, type: agents.Spawner }",
        ...Array.from(
          { length: 100 },
          (_, group) => `    - { name: group${group}, type: dynamic_supervisor }`,
        ),
      ].join("\n"),
    });
    await server.post("/agents/spawner/mailbox", { type: "spawn", payload: {} });
    while ((await server.get<readonly object[]>("/agents")).length < 10_000);
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    const askedNames: string[][] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/overview"))
        askedNames.push((searchParams.get("agent") ?? "*").split(","));
    });
    const droppedUrls: string[] = [];
    page.on("requestfailed", (request) => {
      if (request.url().includes("/overview?")) droppedUrls.push(request.url());
    });
    await server.signIn(page);
    const tree = page.getByRole("treegrid");
    await tree.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
    assert.ok(Number(await tree.getAttribute("aria-rowcount")) > 10_000);
    assert.ok((await tree.getByRole("row").count()) < 80);
    await tree.getByRole("row").nth(1).focus();
    await page.keyboard.press("End");
    await tree.locator('[role="row"]:focus').getByText("topo_gateway").waitFor();
    await page.keyboard.press("Home");
    await tree.locator('[role="row"]:focus').getByText("root").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("a9999");
    await tree.getByRole("row", { name: /a9999/ }).waitFor();
    // What agents do is asked of those that are seen.
    await page.waitForResponse((response) => response.url().endsWith("/overview?agent=a9999"));
    assert.ok(askedNames.some((names) => names.includes("desk")));
    assert.ok(askedNames.every((names) => names.length < 80 && !names.includes("*")));
    // Other rows drop no answer that is on its way.
    assert.deepEqual(droppedUrls, []);
    assert.equal(await tree.getAttribute("aria-rowcount"), "4");
    await server.post("/agents/a9999/suspend", {});
    await tree.getByRole("row", { name: /a9999 SUSPENDED/ }).waitFor();
    await page.getByLabel("Names that contain").fill("");
    await page.getByLabel("Agents of status").selectOption("SUSPENDED");
    await tree.getByRole("row", { name: /a9999 SUSPENDED/ }).waitFor();
    assert.deepEqual(complaints, []);
  },
);
