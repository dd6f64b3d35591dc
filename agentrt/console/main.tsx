import { render } from "preact";
import "./console.css";
import { App } from "./app.tsx";

const root = document.querySelector("#console");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
