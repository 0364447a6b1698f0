import { render } from "preact";
render(<p>pumice</p>, document.getElementById("app")!);
