import type { Description } from "../../../api/descriptions/descriptions.ts"
import { renderPage } from "../frame.ts"
import { html } from "../html.ts"
import type { Site } from "../site.ts"

type IndexedSite = Pick<Site, "descriptions" | "hasStore" | "sandbox">

/** The descriptions of the API, each with the programs that read it. */
export const descriptionsPage = ({ descriptions, hasStore, sandbox }: IndexedSite) =>
  renderPage({
    title: "Descriptions · Petstore",
    root: "..",
    hasStore,
    sandbox,
    current: "Reference",
    main: html`
<div class="problem"><h1>Descriptions</h1></div>
<p class="lead">Every description is derived from the contract on which the service runs, so all of them say the same.</p>
<ul class="kinds">${descriptions.map(entryOf)}</ul>
<p>Programs find them in the API catalog at <a href="../.well-known/api-catalog">/.well-known/api-catalog</a> (RFC 9727). People read
<a href="../docs">the reference</a>.</p>`,
  })

const entryOf = ({ path, title, readers, choices }: Description) => html`
<li><b>${path.split(".").at(-1)?.toUpperCase()}</b><div><a href="..${path}">${title}</a><p>For ${readers}.<br>
<code>${path}</code>${Object.entries(choices).map(([name, values]) => html` <code>?${name}=${values.join("|")}</code>`)}</p></div></li>`
