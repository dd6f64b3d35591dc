/** Every way to sign in at the console, in a real Chromium: a token, a certificate, a header of another name. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { skipUnless } from "testkit";
import { type GuardedPlanes, startGuardedPlanes } from "../control/test-support/guarded-planes.ts";
import { ConsoleBrowser } from "./test-support/console-page.ts";

const needsBrowser = { skip: skipUnless("chromium") };

let planes: GuardedPlanes;
let browser: ConsoleBrowser;
before(async () => {
  if (needsBrowser.skip !== false) return;
  planes = await startGuardedPlanes();
  browser = await ConsoleBrowser.start();
});
after(async () => {
  if (needsBrowser.skip !== false) return;
  await browser[Symbol.asyncDispose]();
  await planes[Symbol.asyncDispose]();
});

test(
  "in Chromium: a token signs in as its subject, with the scopes that it names",
  needsBrowser,
  async () => {
    const { page, complaints } = await browser.open();
    await page.goto(`http://127.0.0.1:${planes.ports.tokens}/console`);
    await page.getByLabel("Token (JWT)").check();
    const secret = page.getByLabel("Token", { exact: true });
    await secret.fill("x.y.z");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText(/token/).waitFor();
    await secret.fill(planes.token({ sub: "ada", scope: "read" }));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("ada (read)").waitFor();
    await page.getByRole("link", { name: "desk" }).click();
    await page.getByText("No message waits.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Restart" }).count(), 0);
    assert.deepEqual(complaints, []);
  },
);

test(
  "in Chromium: a certificate signs in by itself; its scopes say what is refused",
  needsBrowser,
  async () => {
    const origin = `https://localhost:${planes.ports.named}`;
    const { clientCertificate: certPath, clientKey: keyPath } = planes.certificates;
    const { page, context } = await browser.open({ certificate: { origin, certPath, keyPath } });
    await page.goto(`${origin}/console`);
    await page.getByText("CN=client,O=Test (approve)").waitFor();
    await page.getByRole("alert").getByText("'CN=client,O=Test' lacks the scope 'read'").waitFor();
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.secure, cookie?.httpOnly, cookie?.sameSite], [true, true, "Strict"]);

    const { page: other } = await browser.open();
    await other.goto(`${origin}/console`);
    await other.getByRole("button", { name: "Use a certificate, or none" }).click();
    await other.getByText("No certificate lets this browser in.").waitFor();
  },
);

test(
  "in Chromium: a header of another name signs in at a console below a prefix, over TLS",
  needsBrowser,
  async () => {
    const { page, context } = await browser.open();
    await page.goto(`https://localhost:${planes.ports.attached}/ops/console`);
    await page.getByLabel("Other header").check();
    await page.getByLabel("Name of the header").fill("X-Badge");
    await page.getByLabel("Value").fill("chief");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("chief (read, operate, approve)").waitFor();
    await page.getByRole("row", { name: /^desk RUNNING/ }).waitFor();
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.secure, cookie?.path], [true, "/ops"]);
  },
);
