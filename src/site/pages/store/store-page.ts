import type { HttpResponse } from "../../../kernel/network/http-response.ts"
import { basePath } from "../../../kernel/network/path.ts"
import { storeScript } from "../assets.ts"
import { renderPage } from "../frame.ts"
import { visitorPart } from "../header.ts"
import { html, type Markup } from "../html.ts"
import { filters } from "./filters.ts"
import { petCard } from "./pet-card.ts"
import { recentActivity } from "./recent-activity.ts"
import { tryIt } from "./try-it.ts"
import type { ListView, Shop } from "./views.ts"

export const storePage = (shop: Shop, view: ListView): HttpResponse =>
  renderPage({
    title: "Petstore",
    root: ".",
    sandbox: shop.sandbox,
    current: "Store",
    visitor: visitorPart(".", view.person),
    status: view.refusal === undefined ? 200 : 400,
    cacheControl: view.person ? "private, no-cache" : "no-cache",
    scripts: [storeScript.name],
    imageSources: shop.imageOrigin,
    formTargets: ["'self'"],
    main: html`
${view.isStart ? hero(shop) : html`<div class="problem"><h1>Pets</h1></div>`}
${filters(view)}
<div class="shop">
<section aria-label="Pets"${view.isStart && html` data-newest`}>
${view.pets.length > 0 && html`<ul class="grid">${view.pets.map(petCard)}</ul>`}
${view.pets.length === 0 && view.refusal === undefined && nothing(view)}
${pager(view)}
</section>
${recentActivity(view)}
</div>
${tryIt(shop)}`,
  })

const hero = ({ version, knownKeys }: Shop): Markup => html`
<div class="welcome">
<h1>The pet store, as software you can rely on</h1>
<p class="lead">The well-known demo API, built for production: pets, orders, users, keys and webhooks behind one HTTP API that
behaves as documented.</p>
<p class="actions"><a href="./docs">Open the reference</a><a href=".${basePath}/openapi.json">openapi.json</a></p>
<ul class="facts"><li>Version ${version}</li><li>${
  knownKeys.length > 0 ? "Sandbox: sample data and public keys" : "Production"
}</li></ul>
</div>`

const nothing = ({ isStart }: ListView): Markup =>
  isStart
    ? html`<p class="nothing">There are no pets yet. The command below adds one.</p>`
    : html`<p class="nothing">No pets match. <a href="./">Show all pets</a></p>`

const pager = ({ isStart, next }: ListView): Markup => html`
<nav class="pager" aria-label="Pages">${!isStart && html`<a href="./">All pets</a>`}${
  next !== undefined && html`<a href="./?${next}" rel="next">Next page</a>`
}</nav>`
