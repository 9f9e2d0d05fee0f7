import type { Description } from "../../../core/assembly/description.ts"
import { renderPage, type Surrounded } from "../../site/pages/frame.ts"
import { html } from "../../site/pages/html.ts"
import { addressesOf } from "../descriptions.ts"

/** The descriptions of the API, each with the programs that read it. */
export const descriptionsPage = (surrounded: Surrounded, descriptions: readonly Description[]) =>
  renderPage({
    ...surrounded,
    title: "Descriptions · Petstore",
    current: "/docs",
    main: html`
<h1>Descriptions</h1>
<p class="lead">Every description is derived from the contract on which the service runs, so all of them say the same.</p>
<ul class="kinds">${descriptions.map(entryOf)}</ul>
<p>Programs find them in the API catalog at <a href="../.well-known/api-catalog">/.well-known/api-catalog</a> (RFC 9727). People read
<a href="../docs">the reference</a>.</p>`,
  })

function entryOf(description: Description) {
  const { path, readers, choices } = description
  const [own, ...others] = addressesOf(description).map((each) => html`<a href="..${each.path}">${each.title}</a>`)
  return html`
<li><b>${path.split(".").at(-1)?.toUpperCase()}</b><div>${own}${others.map((other) => html` · ${other}`)}<p>For ${readers}.<br>
<code>${path}</code>${Object.entries(choices).map(([name, values]) => html` <code>?${name}=${values.join("|")}</code>`)}</p></div></li>`
}
