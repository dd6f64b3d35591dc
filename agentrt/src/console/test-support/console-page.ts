import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import axe from "axe-core";
import { commandPath } from "testkit";

/** A page of a browser, and what it complained about. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and refusals by the content security policy. */
  readonly complaints: readonly string[];
  /** Origins that were asked for anything. */
  readonly origins: ReadonlySet<string>;
}

/** A real Chromium that ends with its scope. */
export class ConsoleBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Starts Chromium, without a window. */
  static async start(): Promise<ConsoleBrowser> {
    const executablePath = commandPath("chromium") ?? "";
    const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    return new ConsoleBrowser(await chromium.launch({ executablePath, args, timeout: 120_000 }));
  }

  /** Opens a page without cookies in a window of that size. */
  async open(
    options: {
      readonly width?: number;
      readonly height?: number;
      readonly theme?: "light" | "dark";
      /** What the browser shows to that origin. Default no certificate. */
      readonly certificate?: {
        readonly origin: string;
        readonly certPath: string;
        readonly keyPath: string;
      };
    } = {},
  ): Promise<WatchedPage> {
    const { width = 1280, height = 800, theme = "light", certificate } = options;
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      ignoreHTTPSErrors: true,
      ...(certificate === undefined ? {} : { clientCertificates: [certificate] }),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const origins = new Set<string>();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      // Refused requests are in the browser's console, too: the page says so itself.
      const isOfNetwork = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isOfNetwork) complaints.push(message.text());
    });
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    return { page, context, complaints, origins };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** The rules of WCAG 2.2 AA, and axe's own advice. */
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** @returns What axe finds wrong with a page as it is now: rule, and where. */
export async function axeFaults(page: Page): Promise<string[]> {
  const script = `${axe.source}; axe.run(document, { runOnly: ${JSON.stringify(axeTags)} })`;
  const { violations } = (await page.evaluate(script)) as {
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`),
  );
}
