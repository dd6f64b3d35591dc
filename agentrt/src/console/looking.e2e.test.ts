/** What the console shows of traces, keys and figures, and what it keeps, in a real Chromium. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skipUnless } from "testkit";
import { axeFaults, ConsoleBrowser } from "./test-support/console-page.ts";
import { type RunningConsole, startConsole } from "./test-support/running-console.ts";

const needsBrowser = { skip: skipUnless("chromium") };

const keyed = "    - { name: orders, type: keyed, class: agents.Desk, key: id }";

interface Listed {
  readonly traces: readonly { readonly trace_id: string; readonly agents: readonly string[] }[];
}

/** Waits until a list of traces has what is wanted: spans come to it within a second. */
async function listed(
  server: RunningConsole,
  query: string,
  isRight: (list: Listed) => boolean,
): Promise<Listed> {
  for (;;) {
    const list = await server.get<Listed>(`/traces?${query}`);
    if (isRight(list)) return list;
  }
}

test(
  "in Chromium: traces are listed and filtered, each is a waterfall; a damaged file of spans is said, and hides none",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    await server.post("/agents/desk/mailbox", { type: "crash", payload: { because: "it broke" } });
    for (let count = 0; count < 60; count += 1)
      await server.post("/agents/invoices/mailbox", { type: "note", payload: { count } });
    await listed(server, "status=error&agent=desk", ({ traces }) => traces.length > 0);
    await listed(server, "agent=invoices&limit=200", ({ traces }) => traces.length >= 61);
    // A window of the past, whose file is none.
    const folder = join(server.running.folder.path, "telemetry");
    const day = new Date(Math.floor(Date.now() / 2_592_000_000 - 1) * 2_592_000_000);
    const damaged = `agentrt_spans_${day.toISOString().slice(0, 10)}.db`;
    writeFileSync(join(folder, damaged), "this is no database");

    await server.signIn(page);
    await page.getByRole("link", { name: "Traces" }).click();
    const traces = page.getByRole("region", { name: "Traces" });
    const links = traces.getByRole("link", { name: "send note" });
    await links.first().waitFor();
    assert.equal(await links.count(), 50);
    await page.getByRole("alert").getByText(`${damaged} cannot be read`).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole("button", { name: "Look further back" }).click();
    await page.getByRole("heading", { name: /^As they were/ }).waitFor();
    await page.getByRole("alert").getByText(`${damaged} cannot be read`).waitFor();
    assert.ok((await links.count()) >= 60);
    await page.getByRole("button", { name: "Back to the latest" }).click();
    await page.getByRole("heading", { name: "The latest" }).waitFor();

    await page.getByLabel("Traces of status").selectOption("error");
    await traces.getByRole("link", { name: "send crash" }).waitFor();
    assert.equal(await links.count(), 0);
    assert.match(page.url(), /#\/traces\?status=error$/);
    await page.getByLabel("Traces with the agent").fill("invoices");
    await page.keyboard.press("Enter");
    await page.getByText("No trace fits, as far as was looked.").waitFor();
    await page.goBack();
    await traces.getByRole("link", { name: "send crash" }).click();
    const spans = page.getByRole("list", { name: "Spans" });
    await spans.getByRole("button", { name: /error/ }).first().click();
    await page.getByText("it broke", { exact: true }).waitFor();
    await page.getByRole("alert").getByText(`${damaged} cannot be read`).waitFor();
    assert.deepEqual(await axeFaults(page), []);

    await page.goto(`${server.url}#/agents/invoices`);
    await page.getByRole("main").getByRole("link", { name: "Traces" }).click();
    await links.first().waitFor();
    assert.match(page.url(), /#\/traces\?agent=invoices$/);
    await page.getByLabel("Traces that took at least").selectOption("10");
    await page.getByText("No trace fits, as far as was looked.").waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: a keyed agent shows its keys in the tree when it is opened, by their status; a pool its members",
  needsBrowser,
  async () => {
    await using server = await startConsole({ children: keyed });
    for (let id = 0; id < 130; id += 1)
      await server.post("/agents/orders/mailbox", { type: "note", payload: { id: `k${id}` } });
    await server.post("/agents/orders%2Fk7/suspend", { reason: "a look" });
    while (
      (await server.get<{ readonly keys: object[] }>("/agents/orders/keys?status=SUSPENDED")).keys
        .length === 0
    );
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    await server.signIn(page);
    const tree = page.getByRole("treegrid", { name: "Agents and supervisors" });
    await tree.getByRole("row", { name: /tickets\/1 RUNNING/ }).waitFor();
    const orders = tree.getByRole("row", { name: /orders ?(130)? RUNNING keyed/ });
    await orders.waitFor();
    assert.equal(await tree.getByRole("row", { name: /orders\/k/ }).count(), 0);
    await orders.focus();
    await page.keyboard.press("ArrowRight");
    await tree.getByRole("row", { name: /orders\/k0 RUNNING/ }).waitFor();
    await orders.getByText("the first are shown: filter by name").waitFor();
    await page.getByLabel("Names that contain").fill("orders/k7");
    await tree.getByRole("row", { name: /orders\/k7 SUSPENDED/ }).waitFor();
    await tree.getByRole("row", { name: /orders\/k0 / }).waitFor({ state: "detached" });
    assert.deepEqual(await axeFaults(page), []);
    await page.getByLabel("Names that contain").fill("");
    await page.getByLabel("Agents of status").selectOption("not RUNNING");
    await tree.getByRole("row", { name: /orders\/k7 SUSPENDED/ }).waitFor();
    assert.equal(await tree.getByRole("row", { name: /orders\/k/ }).count(), 1);
    await tree.getByRole("link", { name: "orders/k7" }).click();
    await page.getByRole("heading", { name: "orders/k7", level: 1 }).waitFor();

    await page.goto(`${server.url}#/agents/orders`);
    const keys = page.getByRole("region", { name: "Keys" });
    await keys.getByRole("link", { name: "k0", exact: true }).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await keys.getByRole("link", { name: "k99", exact: true }).waitFor();
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
    await page.getByLabel("Of status").selectOption("SUSPENDED");
    await keys.getByRole("link", { name: "k0", exact: true }).waitFor({ state: "detached" });
    await keys.getByRole("link", { name: "k7", exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: an agent's page draws how often it was asked, its errors and its times, and has the budgets above it",
  needsBrowser,
  async () => {
    await using server = await startConsole({
      children: `    - supervisor: { name: paid, budget: { tokens: 1000, per: hour }, children: [{ agent: { name: clerk, type: agents.Desk } }] }`,
    });
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    await server.signIn(page);
    await page.goto(`${server.url}#/agents/clerk`);
    await page.getByText("0 tokens of 1 000 tokens per hour for all of paid").waitFor();
    await page.getByText("Counting from now on.").waitFor();
    await server.post("/agents/clerk/mailbox", { type: "note", payload: {} });
    const messages = page.getByRole("img", { name: /^Messages: now / });
    await page.getByRole("img", { name: /^Messages: now .* at most (?!0 )/ }).waitFor();
    assert.match((await messages.locator("path").getAttribute("d")) ?? "", /^M[\d.]+ [\d.]+h0.1/);
    await page.getByRole("img", { name: /^Mean time: now [\d.]+ ms/ }).waitFor();
    await page.getByRole("img", { name: /^Errors: now 0 \/s, at most 0 \/s/ }).waitFor();
    await server.post("/agents/clerk/mailbox", { type: "crash", payload: { because: "it broke" } });
    await page.getByRole("img", { name: /^Errors: now .* at most (?!0 )/ }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.goto(`${server.url}#/agents/tickets`);
    await page.getByRole("heading", { name: "Lately" }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: a session that ends takes nothing that was typed with it; a sign-out does",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, context } = await browser.open();
    await server.post("/agents/desk/mailbox", { type: "ask", payload: { amount: 120 } });
    await server.signIn(page);
    await page.getByRole("link", { name: "Plan" }).click();
    await page.getByLabel("Its text").fill("supervision: {}");
    await page.getByRole("link", { name: /^Approvals/ }).click();
    await page.getByRole("link", { name: /refund pending desk/ }).click();
    await page.getByLabel("Payload to approve").fill('{ "amount": 77 }');
    await page.getByLabel("Note, for the audit log").fill("half a sen");
    await page.getByRole("button", { name: "Deny" }).click();
    await context.clearCookies();
    await page.getByText("The session is over. Sign in again.").waitFor();
    await server.signIn(page);
    assert.equal(
      await page.getByLabel("Payload to approve").inputValue({ timeout: 60_000 }),
      '{ "amount": 77 }',
    );
    assert.equal(await page.getByLabel("Note, for the audit log").inputValue(), "half a sen");
    await page.getByRole("link", { name: "Plan" }).click();
    assert.equal(await page.getByLabel("Its text").inputValue(), "supervision: {}");
    await page.getByRole("button", { name: "Sign out" }).click();
    await server.signIn(page);
    assert.equal(await page.getByLabel("Its text").inputValue(), "");
  },
);

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
] as const)
  test(
    `in Chromium: axe finds nothing on any page, ${theme}, ${width} pixels wide`,
    needsBrowser,
    async () => {
      await using server = await startConsole({ children: keyed });
      await using browser = await ConsoleBrowser.start();
      await server.post("/agents/orders/mailbox", { type: "note", payload: { id: "k1" } });
      await server.post("/agents/desk/mailbox", { type: "crash", payload: { because: "x" } });
      await server.post("/agents/invoices/mailbox", { type: "ask", payload: { amount: 1 } });
      const { traces } = await listed(server, "status=error&agent=desk", (list) => {
        return list.traces.length > 0;
      });
      const { approvals } = await server.get<{ approvals: { id: string }[] }>("/approvals");
      const { crashes } = await server.get<{ crashes: { id: string }[] }>("/crashes");
      const { page, complaints } = await browser.open({ theme, width });
      await server.signIn(page);
      const places = [
        ["tree", "desk"],
        ["agents/desk", "Lately"],
        ["agents/orders", "k1"],
        ["agents/orders%2Fk1", "State"],
        ["agents/tickets", "Lately"],
        [`approvals/${approvals[0]?.id}`, "Decide"],
        ["events", "agent.crashed"],
        ["traces", "send crash"],
        [`traces/${traces[0]?.trace_id}`, /spans? in /],
        [`crashes/${crashes[0]?.id}`, "RangeError: x"],
        ["dead-letters", "crashed"],
        ["plan", "Another topology"],
      ] as const;
      for (const [hash, text] of places) {
        await page.goto(`${server.url}#/${hash}`);
        await page.getByText(text).first().waitFor();
        assert.deepEqual(await axeFaults(page), [], hash);
        const isWider = await page.evaluate(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        assert.equal(isWider, false, `${hash} is wider than the window`);
      }
      assert.deepEqual(complaints, []);
    },
  );
