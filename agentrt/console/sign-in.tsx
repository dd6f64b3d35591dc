import { useState } from "preact/hooks";
import { begin, enter, serverName } from "./api.ts";

type Way = "key" | "token";

const ways: readonly (readonly [way: Way, label: string])[] = [
  ["key", "API key"],
  ["token", "Token (JWT)"],
];

/** The page of who is not signed in. */
export function SignIn({ notice }: { readonly notice: string }) {
  const [way, setWay] = useState<Way>("key");
  const [secret, setSecret] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault("");
    const text = secret.trim();
    try {
      const headers = way === "key" ? { "x-api-key": text } : { authorization: `Bearer ${text}` };
      const refusal = await enter(headers);
      if (refusal !== undefined) setFault(refusal.message);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>
          <span class="brand">agentrt</span> console of {serverName}
        </h1>
        {notice === "" ? null : <p role="status">{notice}</p>}
        <fieldset>
          <legend>Sign in with</legend>
          {ways.map(([each, label]) => (
            <label key={each} class="choice">
              <input type="radio" name="way" checked={way === each} onChange={() => setWay(each)} />
              {label}
            </label>
          ))}
        </fieldset>
        <label>
          {way === "key" ? "Key" : "Token"}
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        {fault === "" ? null : (
          <p class="refused" role="alert">
            {fault}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={() => void begin("No certificate lets this browser in.")}>
            Use a certificate, or none
          </button>
          <button class="primary" disabled={isBusy}>
            Sign in
          </button>
        </div>
        <p class="hint">
          The key or token is sent to this server once. The browser keeps a cookie that ends after
          30 minutes without use, after 12 hours, and with the token.
        </p>
      </form>
    </main>
  );
}
