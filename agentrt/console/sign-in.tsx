import { useState } from "preact/hooks";
import { enter, enterWithoutKey, serverName } from "./api.ts";

type Way = "key" | "token" | "header";

const ways: readonly (readonly [way: Way, label: string])[] = [
  ["key", "API key"],
  ["token", "Token (JWT)"],
  ["header", "Other header"],
];

/** The page of who is not signed in. */
export function SignIn({ notice }: { readonly notice: string }) {
  const [way, setWay] = useState<Way>("key");
  const [name, setName] = useState("X-");
  const [secret, setSecret] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault("");
    const text = secret.trim();
    try {
      const refusal = await enter(headersOf(way, text, name.trim()));
      if (refusal !== undefined) setFault(refusal.message);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  const byCertificate = async (): Promise<void> => {
    try {
      await enterWithoutKey("No certificate lets this browser in.");
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
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
        {way === "header" ? (
          <label>
            Name of the header
            <input
              required
              pattern="[xX]-[\w\-]+"
              title="X- and letters, digits or dashes"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
        ) : null}
        <label>
          {secretNames[way]}
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
          <button type="button" onClick={() => void byCertificate()}>
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

const secretNames: { readonly [way in Way]: string } = {
  key: "Key",
  token: "Token",
  header: "Value",
};

function headersOf(way: Way, secret: string, name: string): { readonly [name: string]: string } {
  switch (way) {
    case "key":
      return { "x-api-key": secret };
    case "token":
      return { authorization: `Bearer ${secret}` };
    case "header":
      return { [name]: secret, "x-agentrt-credential-header": name };
  }
}
