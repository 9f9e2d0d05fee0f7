import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { storeScript } from "../site/pages/assets.ts"
import { renderPage } from "../site/pages/frame.ts"
import { html, type Markup } from "../site/pages/html.ts"
import { pager } from "../site/pages/parts/pager.ts"
import { surround } from "../site/site.ts"
import { filters } from "./filters.ts"
import { petCard } from "./pet-card.ts"
import { recentActivity } from "./recent-activity.ts"
import { tryIt } from "./try-it.ts"
import type { ListView, Shop } from "./views.ts"

export const storePage = (shop: Shop, view: ListView): HttpResponse =>
  renderPage({
    ...surround(shop.site, ".", view.visitor),
    title: "Petstore",
    current: "/",
    status: view.refusal === undefined ? 200 : 400,
    scripts: [storeScript.name],
    imageSources: shop.imageOrigin,
    main: html`
<h1>Pets</h1>
${view.isStart && [hero(shop), ...shop.site.introductions.flatMap((show) => show() ?? [])]}
${filters(view)}
${recentActivity(view)}
<section class="shop" aria-label="Pets"${view.isStart && html` data-newest`}>
${view.pets.length > 0 && html`<ul class="grid">${view.pets.map(petCard)}</ul>`}
${view.pets.length === 0 && view.refusal === undefined && noPets(view)}
${pager({ root: ".", path: "/", query: view.query }, view.next, { hasSizes: false })}
</section>
${tryIt(shop)}`,
  })

const hero = ({ site }: Shop): Markup => html`<p class="lead">The pet store API that really stores.
${site.has("/docs") && html`<a href="./docs">Read the reference</a>.`}
${site.has("/console") && html`Manage the store in the <a href="./console">console</a>.`}</p>`

const noPets = ({ isStart, next }: ListView): Markup =>
  isStart
    ? html`<p class="nothing">There are no pets yet. The command below adds one.</p>`
    : html`<p class="nothing">${next === undefined ? "No pets match." : "No pets among these match: the next page continues."} <a href="./">Show all pets</a></p>`
