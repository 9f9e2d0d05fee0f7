import type { Order } from "../../core/domain/orders/contract.ts"
import type { Pet } from "../../core/domain/pets/contract.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { storeScript } from "../site/pages/assets.ts"
import { renderPage } from "../site/pages/frame.ts"
import { html, type Markup } from "../site/pages/html.ts"
import { type EveryMember, shownMembers } from "../site/pages/parts/every-member.ts"
import { alarm } from "../site/pages/parts/notice.ts"
import { imagesOf, petPicture } from "../site/pages/parts/pet-picture.ts"
import { surround } from "../site/site.ts"
import { curlCommand, exampleKey } from "./curl-command.ts"
import { labelLink, shownLarge, statusOf } from "./pet-card.ts"
import type { PetView, Shop } from "./views.ts"

export const storePetPage = (shop: Shop, view: PetView): HttpResponse =>
  renderPage({
    ...surround(shop.site, "..", view.visitor),
    title: `${view.pet.name} · Petstore`,
    current: "/",
    status: view.refusal === undefined ? 200 : 409,
    scripts: [storeScript.name],
    imageSources: shop.imageOrigin,
    main: html`
<div class="pet">
<div>${petPicture(view.pet, { root: "..", part: "1280", ...shownLarge })}${moreImages(view.pet)}</div>
<div>
<p class="back"><a href="../">All pets</a>${editLink(view)}</p>
<h1>${view.pet.name}</h1>
${facts(view.pet)}
${ordering(shop, view)}
</div>
</div>
<h2>In the API</h2>
${curlCommand(shop, `/pet/${view.pet.id}`)}
<details><summary>JSON</summary><pre class="wrap" tabindex="0">${JSON.stringify(view.pet, null, 2)}</pre></details>`,
  })

const editLink = ({ pet, visitor }: PetView): Markup | false =>
  visitor !== undefined &&
  visitor.caller.user.role !== "customer" &&
  html` · <a href="../console/pets/${pet.id}">Edit</a>`

const moreImages = (pet: Pet): Markup | false => {
  const more = imagesOf(pet, "320").slice(1)
  return (
    more.length > 0 &&
    html`<p class="more">${more.map((path) => html`<img src="../${path}" alt="Another image" width="96" height="96" loading="lazy">`)}</p>`
  )
}

const facts = (pet: Pet): Markup => {
  const members: EveryMember<Pet, { row: Markup | false | undefined }> = {
    status: { row: html`<dt>Status</dt><dd>${statusOf(pet)}</dd>` },
    category: {
      row: pet.category && html`<dt>Category</dt><dd>${labelLink("..", "category", pet.category.name)}</dd>`,
    },
    tags: {
      row:
        pet.tags.length > 0 &&
        html`<dt>Tags</dt><dd class="tags">${pet.tags.map(({ name }) => html`${labelLink("..", "tag", name)} `)}</dd>`,
    },
    id: { row: html`<dt>Id</dt><dd>${pet.id}</dd>` },
    name: { hidden: "the heading" },
    photoUrls: { hidden: "the pictures" },
  }
  return html`
<dl>
${shownMembers(members).map(
  ([, { row }]) =>
    row &&
    html`${row}
`,
)}</dl>`
}

/** A signed-in visitor orders for themselves, others with a public key, if there is one. */
function ordering(shop: Shop, view: PetView): Markup {
  const { pet, order, refusal, visitor } = view
  return html`
${refusal !== undefined && alarm(refusal)}
${order && placed(shop, view, order)}
${pet.status === "available" && (visitor || shop.knownKeys.length > 0 ? orderForm(shop, view) : signIn(shop, "to order this pet."))}`
}

const orderForm = (shop: Shop, { pet, visitor }: PetView): Markup => html`
<form method="post" action="./${pet.id}/order"><button>Order this pet</button></form>
${
  visitor
    ? html`<p class="soft">Orders in the name of ${visitor.caller.user.username}.</p>`
    : html`<p class="soft">Orders in the sandbox with the key <code>${exampleKey(shop)}</code>.</p>
${signIn(shop, "to order for yourself.")}`
}`

const signIn = ({ site }: Shop, purpose: string): Markup | false =>
  site.has("/console") && html`<p class="soft"><a href="../console/sign-in">Sign in</a> ${purpose}</p>`

const placed = (shop: Shop, { pet, visitor }: PetView, order: Order): Markup => html`<div class="done" role="status">
<p>Order #${order.id} is ${order.status}. ${pet.name} is reserved ${visitor ? "for you" : html`for the account of the key <code>${exampleKey(shop)}</code>`}.</p>
${visitor ? html`<p><a href="../console/orders/${order.id}">See your order</a></p>` : curlCommand(shop, `/store/order/${order.id}`)}</div>`
