import { allScopes } from "../../domain/scopes.ts"
import { basePath } from "../../kernel/network/path.ts"
import { html, type Markup } from "../html.ts"
import type { Shop } from "./views.ts"

export const exampleKey = ({ knownKeys: [known] }: Shop): string => known?.secret ?? "YOUR_KEY"

export function tryIt(shop: Shop): Markup {
  const key = exampleKey(shop)
  const pets = `${shop.publicUrl()}${basePath}/pet`
  const body = JSON.stringify({ id: 4711, name: "Rex", category: { name: "Dogs" }, photoUrls: [] })
  const hasKnownKeys = shop.knownKeys.length > 0
  return html`
<section class="try" aria-labelledby="try">
<h2 id="try">Try it</h2>
<p>${hasKnownKeys ? "Paste this into a terminal. The changes appear above." : "Replace YOUR_KEY with your API key."}</p>
<pre tabindex="0"><i># add a pet</i>
curl -X POST '${pets}' -H 'api_key: ${key}' \\
  -H 'Content-Type: application/json' -d '${body}'

<i># read it</i>
curl '${pets}/4711' -H 'api_key: ${key}'

<i># delete it</i>
curl -X DELETE '${pets}/4711' -H 'api_key: ${key}'
</pre>
${hasKnownKeys && keys(shop)}
</section>`
}

const keys = ({ knownKeys }: Shop): Markup => html`
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
</tbody></table></div>`
