import { allScopes } from "../../core/domain/scopes.ts"
import { html, type Markup } from "../site/pages/html.ts"
import { curlCommand } from "./curl-command.ts"
import type { Shop } from "./views.ts"

export function tryIt(shop: Shop): Markup {
  const hasKnownKeys = shop.knownKeys.length > 0
  return html`
<section class="try" aria-labelledby="try">
<h2 id="try">Try it</h2>
<p>Paste a command into a terminal. ${!hasKnownKeys && "Replace YOUR_KEY with your API key."}</p>
<h3>Add a pet</h3>
<p>It appears first in the list of all pets.</p>
${curlCommand(shop, "/pet", `-H 'Content-Type: application/json' -d '${newPet}' `)}
<h3>Read the newest pets</h3>
${curlCommand(shop, "/pet?limit=3")}
${shop.site.has("/docs") && html`<p><a href="./docs/results">Results</a> of common clients and tools.</p>`}
${hasKnownKeys && credentials(shop)}
<p class="soft">Version ${shop.version}. ${hasKnownKeys ? "Sandbox: sample data and public keys." : "Production."}</p>
</section>`
}

const newPet = JSON.stringify({ name: "Rex", category: { name: "Dogs" }, photoUrls: [] })

const credentials = ({ knownKeys, samplePeople, site }: Shop): Markup => html`
<h2>Sandbox credentials</h2>
<p>These API keys are public. A production service has no public keys.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Plan</th><th scope="col">Scopes</th></tr></thead>
<tbody>${knownKeys.map(
  ({ secret, plan, scopes }) => html`
<tr><td><code>${secret}</code></td><td>${plan.charAt(0).toUpperCase()}${plan.slice(1)}</td><td>${
    scopes.length === allScopes.length ? "all" : scopes.join(", ")
  }</td></tr>`,
)}
</tbody></table></div>
${site.has("/console") && people(samplePeople)}`

const people = (samplePeople: Shop["samplePeople"]): Markup => html`
<p>These users sign in at the <a href="./console/sign-in">console</a>.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">User</th><th scope="col">Password</th><th scope="col">Role</th></tr></thead>
<tbody>${samplePeople.map(
  ({ username, password, role }) => html`
<tr><td><code>${username}</code></td><td><code>${password}</code></td><td>${role}</td></tr>`,
)}
</tbody></table></div>`
