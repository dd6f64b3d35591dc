/** The console in a real Chromium: sign-in, tree, agents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipUnless } from "testkit";
import { axeFaults, ConsoleBrowser } from "./test-support/console-page.ts";
import { startConsole } from "./test-support/running-console.ts";

const needsBrowser = { skip: skipUnless("chromium") };

test(
  "in Chromium: sign in, read the tree, suspend and resume an agent, sign out",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints, origins, context } = await browser.open();
    await page.goto(server.url);
    await page.getByLabel("Key", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("invalid or missing API key").waitFor();
    await page.getByLabel("Key", { exact: true }).fill("first");
    await page.keyboard.press("Enter");

    const tree = page.getByRole("treegrid", { name: "Agents and supervisors" });
    await tree.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, "Strict", "/ops"]);
    const kept = String(
      await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])"),
    );
    assert.doesNotMatch(kept, /first|agentrt_session/);

    // By keys alone: into the grid, down to the supervisor, closed, opened, and on to the agent.
    await tree.getByRole("row").nth(1).focus();
    for (let down = 0; down < 5; down += 1) await page.keyboard.press("ArrowDown");
    await tree.locator('[role="row"]:focus').getByText("billing").waitFor();
    await page.keyboard.press("ArrowLeft");
    await tree.getByRole("row", { name: /invoices/ }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "invoices", level: 1 }).waitFor();

    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("a look");
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("heading", { name: "Suspended" }).waitFor();
    await page.getByText("a look").first().waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "Suspended" }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(complaints, []);
    assert.deepEqual([...origins], [`http://127.0.0.1:${server.port}`]);
  },
);

test(
  "in Chromium: what agents and callers write is text, and secrets of a state are not there",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, complaints } = await browser.open();
    const hostile = `"'><img src=x onerror=alert(1)><script>alert(2)</script>\${alert(3)}`;
    await server.post("/agents/desk/mailbox", { type: "note", payload: { [hostile]: hostile } });
    await server.post("/agents/desk/mailbox", { type: "crash", payload: { because: hostile } });
    await server.post("/agents/desk/suspend", { reason: hostile });
    await page.goto(server.url);
    await page.getByLabel("Key", { exact: true }).fill("first");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "desk" }).click();
    await page.getByRole("heading", { name: "Last crash" }).waitFor();
    await page.getByRole("heading", { name: "Suspended" }).waitFor();
    await page.getByText(`message=${hostile}`).first().waitFor();
    assert.equal(await page.locator("img, main script").count(), 0);
    await server.post("/agents/desk/resume", {});
    await server.post("/agents/desk/mailbox", { type: "note", payload: { [hostile]: hostile } });
    const state = page.getByRole("region", { name: "State" });
    await state.getByText("onerror").waitFor();
    assert.doesNotMatch((await state.textContent()) ?? "", /sk-a-secret/);
    assert.equal(await page.locator("img, main script").count(), 0);
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: a session that is over asks for the key, and goes on where it was",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    const { page, context } = await browser.open();
    await page.goto(`${server.url}#/agents/desk`);
    await page.getByLabel("Key", { exact: true }).fill("first");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "desk", level: 1 }).waitFor();
    await context.clearCookies();
    await page.getByText("The session is over. Sign in again.").waitFor();
    await page.getByLabel("Key", { exact: true }).fill("first");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "desk", level: 1 }).waitFor();
  },
);

test(
  "in Chromium: axe finds nothing on the sign-in, the tree and an agent, dark and light, wide and narrow",
  needsBrowser,
  async () => {
    await using server = await startConsole();
    await using browser = await ConsoleBrowser.start();
    for (const [theme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      const { page } = await browser.open({ theme, width });
      await page.goto(server.url);
      await page.getByLabel("Key", { exact: true }).fill("first");
      assert.deepEqual(await axeFaults(page), []);
      await page.keyboard.press("Enter");
      await page.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await page.getByRole("link", { name: "desk" }).click();
      await page.getByText("No message waits.").waitFor();
      await page.getByRole("region", { name: "State" }).waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await page.getByRole("button", { name: "Restart" }).click();
      assert.deepEqual(await axeFaults(page), []);
      // The judge judges: a field without a name is found.
      await page.evaluate(
        `document.querySelector("dialog").append(document.createElement("input"))`,
      );
      assert.match((await axeFaults(page)).join("\n"), /^label: <input>/m);
    }
  },
);
