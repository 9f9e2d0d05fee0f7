import { type Pet, PetStatus } from "../domain/pets/contract.ts"
import { allScopes } from "../domain/scopes.ts"
import { type Tag, tags } from "../domain/tags.ts"
import type { HttpResponse } from "../kernel/http-response.ts"
import { fromJson } from "../kernel/json.ts"
import { basePath } from "../kernel/path.ts"
import { portraitOf, portraits } from "./animals.ts"
import { html, type Markup, prose } from "./html.ts"
import { renderPage } from "./layout.ts"
import type { Site } from "./site.ts"

type Shown = Omit<Site, "describe" | "problemExample" | "docsClientId">

const petsShown = 12

/** Says what the service is and where to go from here. */
export async function firstPage(site: Shown): Promise<HttpResponse> {
  const isSandbox = site.knownKeys.length > 0
  const main = html`
${hero(site, isSandbox)}
${roundTrip(site)}
${isSandbox && knownKeys(site)}
${isSandbox && pets(await newestPets(site))}
${promises}
${endpointsOf(site)}`
  return renderPage({ title: "Petstore", root: ".", cacheControl: "no-cache", main })
}

const hero = ({ version }: Shown, isSandbox: boolean): Markup => html`
<div class="hero">
<div>
<h1>The pet store, as software you can rely on</h1>
<p class="lead">The demo API everybody knows, built for real: pets, orders, users, keys and webhooks behind one HTTP API that
behaves as its description says.</p>
<p class="actions"><a href="docs">Open the reference</a><a href="${basePath.slice(1)}/openapi.json">openapi.json</a></p>
<ul class="facts"><li>Version ${version}</li><li>${isSandbox ? "Sandbox: sample data, keys anyone may use" : "Production"}</li></ul>
</div>
<div class="faces">${portraits}</div>
</div>`

function roundTrip({ publicUrl, knownKeys: [known] }: Shown): Markup {
  const key = known?.secret ?? "YOUR_KEY"
  const pets = `${publicUrl()}${basePath}/pet`
  const body = JSON.stringify({ id: 4711, name: "Rex", category: { name: "Dogs" }, photoUrls: [] })
  return html`
<h2>A round trip</h2>
<p>${known ? "Paste this into a terminal; it works as is." : "Replace YOUR_KEY with your API key."}</p>
<pre tabindex="0"><i># add a pet</i>
curl -X POST '${pets}' -H 'api_key: ${key}' \\
  -H 'Content-Type: application/json' -d '${body}'

<i># read it</i>
curl '${pets}/4711' -H 'api_key: ${key}'

<i># delete it</i>
curl -X DELETE '${pets}/4711' -H 'api_key: ${key}'
</pre>`
}

const knownKeys = (site: Shown): Markup => html`
<h2>Keys of the sandbox</h2>
<p>Anyone may use them here. A production service has no public keys.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Plan</th><th scope="col">May</th></tr></thead>
<tbody>${site.knownKeys.map(
  ({ secret, plan, scopes }) => html`
<tr><td><code>${secret}</code></td><td>${plan.charAt(0).toUpperCase()}${plan.slice(1)}</td><td>${
    scopes.length === allScopes.length ? "everything" : scopes.join(", ")
  }</td></tr>`,
)}
</tbody></table></div>`

async function newestPets({ store }: Shown): Promise<Pet[]> {
  const { json } = await store.pets.byStatus(PetStatus.enum, { limit: petsShown, before: undefined })
  return fromJson(json)
}

const pets = (newest: Pet[]): Markup => html`
<h2>In the store right now</h2>
${newest.length === 0 && html`<p>No pets yet. Add one with the first command above.</p>`}
<ul class="pets">${newest.map(
  ({ id, name, category, status }) => html`
<li>${portraitOf(category?.name)}<strong>${name}</strong><span>№ ${id}</span> <span class="status ${status}">${status}</span></li>`,
)}
</ul>`

const promises = html`
<h2>What you can count on</h2>
<div class="promises">
<div><h3>Errors that tell you what to do</h3><p>Every failure is <a href="problems">a documented problem</a> with a stable
code and a page of its own, and lists every violation at once.</p></div>
<div><h3>Safe to repeat</h3><p>Repeat a request with the same <code>Idempotency-Key</code>: the work is done once,
and you get the same response again.</p></div>
<div><h3>No lost updates</h3><p>Every pet has an <code>ETag</code>; <code>If-Match</code> keeps you from overwriting
somebody else’s change.</p></div>
</div>`

function endpointsOf({ api }: Shown): Markup {
  const byTag = Map.groupBy(Object.values(api), ({ tag }) => tag as Tag)
  const known = (Object.keys(tags) as Tag[]).filter((tag) => byTag.has(tag))
  return html`
<h2>The whole API</h2>
<p>Everything below is under <code>${basePath}</code>; the <a href="docs">reference</a> has every field, response and example.</p>
<div class="groups">${known.map(
    (tag) => html`
<section><h3>${tag}</h3><p>${prose(tags[tag])}</p>
<ul>${byTag.get(tag)?.map(
      ({ method, path, summary }) => html`
<li><b>${method}</b> <code>${path}</code><span>${summary}</span></li>`,
    )}
</ul></section>`,
  )}
</div>`
}
