/** The pages of the console in a real Chromium: approvals, events, traces, crashes, dead letters, plan and apply. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipUnless } from "testkit";
import { axeFaults, ConsoleBrowser } from "./test-support/console-page.ts";
import { startConsole } from "./test-support/running-console.ts";

const needsBrowser = { skip: skipUnless("chromium") };

test(
  "in Chromium: an approval is edited, its difference shown, and approved with a note; another is denied",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open({ theme: "dark", width: 390 });
    await server.post("/agents/desk/mailbox", { type: "ask", payload: { amount: 120 } });
    await server.post("/agents/invoices/mailbox", { type: "ask", payload: { amount: 7 } });
    await server.signIn(page);
    await page.getByRole("link", { name: /^Approvals/ }).click();
    await page.getByRole("link", { name: /refund pending desk/ }).click();
    const text = page.getByLabel("Payload to approve");
    await text.fill("{");
    await page.getByText(/JSON/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Approve" }).isDisabled(), true);
    await text.fill('{ "amount": 100 }');
    const difference = page.getByRole("region", { name: "What was edited" });
    assert.match((await difference.textContent()) ?? "", /-   "amount": 120\n\+   "amount": 100/);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByLabel("Note, for the audit log").fill("as agreed");
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve as edited" }).click();
    await page.getByText("as agreed").waitFor();
    const { approvals } = await server.get<{
      readonly approvals: readonly { readonly edited_payload: unknown; readonly note: string }[];
    }>("/approvals?status=approved");
    assert.deepEqual(
      approvals.map(({ edited_payload: edited, note }) => [edited, note]),
      [[{ amount: 100 }, "as agreed"]],
    );
    await page.getByRole("link", { name: /refund pending invoices/ }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Deny" }).click();
    await page.getByText("Nothing is to be decided.").waitFor();
    await page.getByLabel("Approvals of status").selectOption("denied");
    await page.getByRole("link", { name: /refund denied invoices/ }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: events come as they happen; a crash has its page, its trace a waterfall, its dead letter is sent again",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    await server.signIn(page);
    await page.getByRole("link", { name: "Events" }).click();
    const events = page.getByRole("grid", { name: "Events" });
    await events.getByRole("row", { name: /agent.started desk/ }).waitFor();
    await server.post("/agents/desk/mailbox", { type: "crash", payload: { because: "it broke" } });
    const crashed = events.getByRole("row", { name: /agent.crashed desk/ });
    await crashed.click();
    await page.getByRole("region", { name: "Event" }).getByText("it broke").waitFor();
    await page.getByLabel("Events with these words").fill("crashed desk");
    await events.getByRole("row", { name: /started/ }).waitFor({ state: "detached" });
    assert.deepEqual(await axeFaults(page), []);

    await page.getByRole("link", { name: "Crashes" }).click();
    await page.getByRole("link", { name: /^Details of/ }).click();
    await page.getByText("RangeError: it broke").waitFor();
    await page.getByRole("region", { name: "Payload of the message" }).waitFor();
    const lines = page.getByRole("region", { name: /^Lines of agents.ts/ });
    assert.match((await lines.textContent()) ?? "", /▸ +\d+ +if \(type === "crash"\) throw/);
    const command = page.getByRole("region", { name: "Command that repeats the crash" });
    assert.match((await command.textContent()) ?? "", /^agentrt /);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole("link", { name: /^[\da-f]{32}$/ }).click();
    const spans = page.getByRole("list", { name: "Spans" });
    await spans.getByRole("button", { name: /error/ }).click();
    await spans.getByText("it broke", { exact: true }).waitFor();
    assert.deepEqual(await axeFaults(page), []);

    await page.getByRole("link", { name: "Dead letters" }).click();
    await page.getByRole("cell", { name: "crashed" }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByText(/^crashed 2$/).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: a plan shows what it touches, and is applied; a faulty file is refused with its lines",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open({ theme: "dark", width: 390 });
    await server.signIn(page);
    await page.getByRole("link", { name: "Plan" }).click();
    const text = page.getByLabel("Its text");
    await text.fill("supervision: { name: root, children: [{ agent: { name: 7 } }] }");
    await page.getByRole("button", { name: "Plan" }).click();
    await page
      .getByRole("alert")
      .getByText(/topology.yaml:1:\d+/)
      .waitFor();
    await text.fill(server.topology.replace("size: 2", "size: 3"));
    await page.getByRole("button", { name: "Plan" }).click();
    const row = page.getByRole("row", { name: /tickets \(pool\)/ });
    await row
      .getByText(/2 -> 3/)
      .first()
      .waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByText(/The latest apply: applied/).waitFor();
    await page.getByRole("link", { name: "Tree" }).click();
    await page.getByRole("row", { name: /tickets\/3/ }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: who may only read sees no button that changes anything",
  needsBrowser,
  async () => {
    await using server = await startConsole({ scopes: '{ "*": [read] }' });
    await using browser = await ConsoleBrowser.start();
    const { page } = await browser.open();
    await server.signIn(page);
    await page.getByRole("link", { name: "desk" }).click();
    await page.getByText("No message waits.").waitFor();
    for (const name of ["Suspend", "Drain", "Restart"])
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
  },
);
