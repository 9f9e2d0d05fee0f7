import { type Pet, PetStatus } from "../domain/pets/contract.ts"
import { allScopes } from "../domain/scopes.ts"
import { type Tag, tags } from "../domain/tags.ts"
import { basePath } from "../kernel/path.ts"
import { portraitOf, portraits } from "./animals.ts"
import { html, type Markup, prose } from "./html.ts"
import type { Page } from "./layout.ts"
import type { Site } from "./site.ts"

const petsShown = 12

/** What this is and where to go. */
export async function firstPage(site: Site): Promise<Page> {
  const isSandbox = site.knownKeys.length > 0
  const main = html`
${hero(site, isSandbox)}
${roundTrip(site)}
${isSandbox && knownKeys(site)}
${isSandbox && pets(await newestPets(site))}
${promises}
${interfaceOf(site)}`
  return { title: "Petstore", root: ".", main }
}

const hero = ({ version }: Site, isSandbox: boolean): Markup => html`
<div class="hero">
<div>
<h1>The pet store, as software you can rely on</h1>
<p class="lead">The demo everybody has clicked through, built for real: pets, orders, people, keys and webhooks behind one
HTTP interface that means what its description says.</p>
<p class="actions"><a href="docs">Open the reference</a><a href="${basePath.slice(1)}/openapi.json">openapi.json</a></p>
<ul class="facts"><li>Version ${version}</li><li>${isSandbox ? "Sandbox: sample data, keys anyone may use" : "Production"}</li></ul>
</div>
<div class="faces">${portraits}</div>
</div>`

function roundTrip({ publicUrl, knownKeys: [known] }: Site): Markup {
  const key = known?.secret ?? "YOUR_KEY"
  const pets = `${publicUrl()}${basePath}/pet`
  const body = JSON.stringify({ id: 4711, name: "Rex", category: { name: "Dogs" }, photoUrls: [] })
  return html`
<h2>There and back</h2>
<p>${known ? "Paste this into a terminal; it works as it stands." : "Put your API key in place of YOUR_KEY."}</p>
<pre tabindex="0"><i># add a pet</i>
curl -X POST '${pets}' -H 'api_key: ${key}' \\
  -H 'Content-Type: application/json' -d '${body}'

<i># read it</i>
curl '${pets}/4711' -H 'api_key: ${key}'

<i># delete it</i>
curl -X DELETE '${pets}/4711' -H 'api_key: ${key}'
</pre>`
}

const knownKeys = (site: Site): Markup => html`
<h2>Keys of the sandbox</h2>
<p>Anyone may use them here. In production there is none that anyone knows.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Plan</th><th scope="col">May</th></tr></thead>
<tbody>${site.knownKeys.map(
  ({ secret, plan, scopes }) => html`
<tr><td><code>${secret}</code></td><td>${plan.charAt(0).toUpperCase()}${plan.slice(1)}</td><td>${
    scopes.length === allScopes.length ? "everything" : scopes.join(", ")
  }</td></tr>`,
)}
</tbody></table></div>`

async function newestPets({ store }: Site): Promise<Pet[]> {
  const { items } = await store.pets.byStatus(PetStatus.enum, { limit: petsShown, before: undefined })
  return items.map((json) => JSON.parse(json))
}

const pets = (newest: Pet[]): Markup => html`
<h2>In the store just now</h2>
${newest.length === 0 && html`<p>No pets. Add one with the first command above.</p>`}
<ul class="pets">${newest.map(
  ({ id, name, category, status }) => html`
<li>${portraitOf(category?.name)}<strong>${name}</strong><span>№ ${id}</span> <span class="status ${status}">${status}</span></li>`,
)}
</ul>`

const promises = html`
<h2>What you can count on</h2>
<div class="promises">
<div><h3>Errors that tell you what to do</h3><p>Every failure is <a href="problems">a documented problem</a> with a stable
code, every broken rule at once, and a page about it.</p></div>
<div><h3>Safe to repeat</h3><p>The same <code>Idempotency-Key</code> does the work once and gets the same answer again.</p></div>
<div><h3>No lost updates</h3><p>Every pet has an <code>ETag</code>; <code>If-Match</code> refuses to overwrite what somebody
else changed.</p></div>
</div>`

function interfaceOf({ api }: Site): Markup {
  const byTag = Map.groupBy(Object.values(api), ({ tag }) => tag as Tag)
  const known = (Object.keys(tags) as Tag[]).filter((tag) => byTag.has(tag))
  return html`
<h2>The whole interface</h2>
<p>Everything below is under <code>${basePath}</code>; the <a href="docs">reference</a> has every member, answer and example.</p>
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
