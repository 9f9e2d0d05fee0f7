import { html, type Markup } from "../../site/pages/html.ts"
import { badge } from "../../site/pages/parts/badge.ts"
import { trafficPlot } from "../../site/pages/parts/traffic-plot.ts"
import { useOfLimits } from "../../site/pages/parts/use-of-limits.ts"
import { auditTable } from "./audit/audit-table.ts"
import { eventTable } from "./events/event-table.ts"
import { petNames } from "./orders/order-pet.ts"
import { type ConsolePage, isByStaff, type Visit } from "./page.ts"

const [eventsShown, entriesShown, ordersShown] = [5, 10, 5]
const [webhooksAsked, deliveriesAsked] = [10, 100]

export const overviewPage: ConsolePage = {
  path: "/",
  title: "Overview",
  scope: "any",
  async show(visit) {
    const { scopes } = visit
    const parts = await Promise.all([
      scopes.has("read:orders") && inventory(visit),
      scopes.has("manage:webhooks") && backlog(visit),
      plan(visit),
    ])
    return html`<h1>Overview</h1>
<div class="tiles">${parts}</div>
${!isByStaff(visit) && (await ownOrders(visit))}
${scopes.has("admin") && visit.service.site.area === undefined && traffic(visit)}
${scopes.has("manage:webhooks") && (await events(visit))}
${scopes.has("admin") && (await activity(visit))}`
  },
}

async function plan({ call, person }: Visit): Promise<Markup> {
  const { value: account } = await call.getOwnAccount()
  return html`<section class="tile"><h2>Your plan</h2>
<p class="figure">${account.plan}</p>
<p class="soft">${person.username} · account ${account.id}, ${account.name}</p>
${useOfLimits(account.limits)}
</section>`
}

async function inventory({ call, root }: Visit): Promise<Markup> {
  const { value } = await call.getInventory()
  return html`<section class="tile"><h2>Pets</h2>
<dl class="counts">${Object.entries(value).map(
    ([status, count]) =>
      html`<div><dt><a href="${root}/pets?status=${status}">${status}</a></dt><dd>${count.toLocaleString("en")}</dd></div>`,
  )}</dl>
</section>`
}

/** The latest orders of a customer, and the way to the next one. */
async function ownOrders(visit: Visit): Promise<Markup> {
  const { call, root } = visit
  const { value: orders } = await call.listOrderRecords({ query: { limit: ordersShown } })
  const nameOf = await petNames(call, orders)
  return html`<section><div class="heading"><h2>Your orders</h2><p class="actions"><a href="${root}/pets?status=available">Order a pet</a></p></div>
${orders.length === 0 && html`<p class="soft">You have not ordered yet.</p>`}
<ul class="lines">${orders.map(
    (order) =>
      html`<li><a href="${root}/orders/${order.id}">Order ${order.id}</a> ${badge(order.status)} ${nameOf(order.petId)}</li>`,
  )}</ul>
</section>`
}

/** Counts deliveries of the newest webhooks, up to one page for each. */
async function backlog({ call, root }: Visit): Promise<Markup> {
  const { value: webhooks, next } = await call.listWebhooks({ query: { limit: webhooksAsked } })
  const countOf = async (webhookId: number, state: "pending" | "failed") => {
    const query = { state: [state], limit: deliveriesAsked }
    const found = await call.listDeliveries({ params: { webhookId }, query })
    return { count: found.value.length, isMore: found.next !== undefined }
  }
  const sum = async (state: "pending" | "failed") => {
    const counts = await Promise.all(webhooks.map(({ id }) => countOf(id, state)))
    const isMore = next !== undefined || counts.some((each) => each.isMore)
    return `${counts.reduce((all, { count }) => all + count, 0)}${isMore ? " or more" : ""}`
  }
  const [waiting, failed] = await Promise.all([sum("pending"), sum("failed")])
  return html`<section class="tile"><h2>Deliveries</h2>
<dl class="counts"><div><dt>waiting</dt><dd>${waiting}</dd></div><div><dt>failed</dt><dd>${failed}</dd></div></dl>
<p class="soft">${webhooks.length === 0 ? html`There are no webhooks. <a href="${root}/webhooks/new">Create one</a>.` : html`For <a href="${root}/webhooks">${webhooks.length}${next === undefined ? "" : " newest"} webhooks</a>.`}</p>
</section>`
}

function traffic({ service }: Visit): Markup {
  const slots = service.traffic()
  const sum = (of: "requests" | "refused" | "failed") => slots.reduce((all, slot) => all + slot[of], 0)
  const [requests, refused, failed] = [sum("requests"), sum("refused"), sum("failed")]
  const summary = `${requests} requests in the last six hours: ${refused} refused, ${failed} failed`
  return html`<section><h2>Requests</h2>
<p class="soft">${summary}. Counted by this process since it started. Each bar is five minutes; times are UTC.</p>
<ul class="legend"><li class="served">served</li><li class="refused">refused (4xx)</li><li class="failed">failed (5xx)</li></ul>
${trafficPlot(slots, summary)}
</section>`
}

async function events(visit: Visit): Promise<Markup> {
  const { value } = await visit.call.listEvents({ query: { sort: "-id", limit: eventsShown } })
  return html`<section><div class="heading"><h2>Latest events</h2><p class="live" role="status" hidden></p><a href="${visit.root}/events">All events</a></div>
<div data-live="${visit.root}/events/stream">${eventTable(visit, value, "There are no events yet.")}</div>
</section>`
}

async function activity(visit: Visit): Promise<Markup> {
  const { value: rows } = await visit.call.listAudit({ query: { limit: entriesShown } })
  return html`<section><div class="heading"><h2>Recent activity</h2><a href="${visit.root}/audit">Audit log</a></div>
${await auditTable(visit, rows, "There are no entries yet.")}
</section>`
}
