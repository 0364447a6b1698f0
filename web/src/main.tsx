import { render } from "preact";
import { App } from "./app";
import { load } from "./data";
import "./style/theme.css";
import "./style/page.css";
import "./style/compare.css";
import "./style/call.css";
import "./style/narrow.css";

const root = document.getElementById("app")!;

load().then(
  (report) => render(<App report={report} />, root),
  (error: unknown) => render(<p class="failed">{error instanceof Error ? error.message : String(error)}</p>, root),
);
