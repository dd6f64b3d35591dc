import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { AgentPage } from "./agent-page.tsx";
import { begin, failing, leave, serverName, type Session, signIn } from "./api.ts";
import { ApprovalsPage } from "./approvals-page.tsx";
import { CrashesPage } from "./crashes-page.tsx";
import { DeadLettersPage } from "./dead-letters-page.tsx";
import { EventsPage } from "./events-page.tsx";
import { health, useHealth } from "./health.ts";
import { Nothing } from "./parts.tsx";
import { PlanPage } from "./plan-page.tsx";
import { hrefOf, place } from "./route.ts";
import { SignIn } from "./sign-in.tsx";
import { useStore } from "./store.ts";
import { ThemeButton } from "./theme.tsx";
import { TracesPage } from "./traces-page.tsx";
import { TreePage } from "./tree-page.tsx";

/** The whole page. */
export function App(): JSX.Element {
  const state = useStore(signIn);
  useEffect(() => {
    void begin().catch(() => setTimeout(retry, 2000));
  }, []);
  if (state.kind === "in") return <Shell session={state.session} />;
  if (state.kind === "out") return <SignIn notice={state.notice} />;
  return (
    <main class="page">
      <Banner />
      <Nothing>Loading…</Nothing>
    </main>
  );
}

function retry(): void {
  void begin().catch(() => setTimeout(retry, 2000));
}

/** The pages, by the name in the URL. */
const pages: readonly {
  readonly name: string;
  readonly label: string;
  readonly show: (about: string, query: URLSearchParams) => JSX.Element;
}[] = [
  { name: "tree", label: "Tree", show: () => <TreePage /> },
  { name: "approvals", label: "Approvals", show: (id) => <ApprovalsPage id={id} /> },
  { name: "events", label: "Events", show: () => <EventsPage /> },
  {
    name: "traces",
    label: "Traces",
    show: (id, query) => <TracesPage key={`${id}?${query}`} id={id} query={query} />,
  },
  { name: "crashes", label: "Crashes", show: (id) => <CrashesPage id={id} /> },
  { name: "dead-letters", label: "Dead letters", show: () => <DeadLettersPage /> },
  { name: "plan", label: "Plan", show: () => <PlanPage /> },
];

function Shell({ session }: { readonly session: Session }): JSX.Element {
  const { page, about, query } = useStore(place);
  useHealth();
  const pending = useStore(health)?.approvals?.pending ?? 0;
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const found = pages.find(({ name }) => name === page) ?? pages[0];
  const isAgent = page === "agents" && about !== "";
  const title = isAgent ? about : (found?.label ?? "");
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [page]);
  useEffect(() => {
    document.title = `${title} · ${serverName}: agentrt console`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        To the content
      </a>
      <header class="top">
        <a class="brand" href={hrefOf("tree")}>
          agentrt
        </a>
        <nav aria-label="Pages" ref={nav}>
          {pages.map(({ name, label }) => (
            <a
              key={name}
              href={hrefOf(name)}
              aria-current={!isAgent && name === found?.name ? "page" : undefined}
            >
              {label}
              {name === "approvals" && pending > 0 ? <span class="badge">{pending}</span> : null}
            </a>
          ))}
        </nav>
        <div class="who">
          <span title={`may: ${session.scopes?.join(", ") ?? "all"}`}>
            {session.principal}
            {session.scopes === null ? "" : ` (${session.scopes.join(", ") || "nothing"})`}
          </span>
          <ThemeButton />
          <button onClick={() => void leave()}>Sign out</button>
        </div>
      </header>
      <Banner />
      {isAgent ? <AgentPage key={about} name={about} /> : found?.show(about, query)}
    </>
  );
}

/** The part behind `#` says where the page is, so the link cannot lead by itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("main h1")?.focus();
}

function onKey(event: KeyboardEvent): void {
  const isText =
    event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  if (event.key !== "/" || isText || event.ctrlKey || event.metaKey || event.altKey) return;
  const filter = document.querySelector<HTMLInputElement>("[data-filter]");
  if (filter === null) return;
  event.preventDefault();
  filter.focus();
}

/** What does not answer at the moment. What is shown meanwhile is what was known. */
function Banner() {
  const faults = [...useStore(failing)];
  if (faults.length === 0) return null;
  const isAway = faults.every(([, fault]) => fault === "no answer");
  const shown = faults.slice(0, 3).map(([path, fault]) => `${path}: ${fault}`);
  return (
    <p class="banner" role="alert">
      <span aria-hidden="true">▲</span>{" "}
      {isAway
        ? "The server does not answer. What you see is what was known last; the page asks again."
        : shown.join("; ")}
    </p>
  );
}
