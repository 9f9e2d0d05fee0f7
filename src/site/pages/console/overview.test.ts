import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit } from "../../../../test/harness/visit.ts"
import { overviewPage } from "./overview.ts"
import type { Visit } from "./page.ts"

type Given = {
  webhooks?: number
  moreWebhooks?: boolean
  deliveries?: number
  moreDeliveries?: boolean
  limits?: object[]
}

/** The parts of the overview of a person who has webhooks. */
async function shown({
  webhooks = 0,
  moreWebhooks = false,
  deliveries = 0,
  moreDeliveries = false,
  limits = [],
}: Given) {
  const next = (isMore: boolean) => (isMore ? "next" : undefined)
  const call = {
    getOwnAccount: async () => ({ value: { id: 4, name: "Ada & Co", plan: "pro", limits } }),
    getInventory: async () => ({ value: { available: 1234, sold: 0 } }),
    listWebhooks: async () => ({
      value: Array.from({ length: webhooks }, (_, n) => ({ id: n + 1 })),
      next: next(moreWebhooks),
    }),
    listDeliveries: async ({ query }: { query: { state: string[] } }) => ({
      value: Array.from({ length: query.state[0] === "failed" ? deliveries : 1 }),
      next: next(query.state[0] === "failed" && moreDeliveries),
    }),
    listEvents: async () => ({ value: [] }),
  }
  const scopes = new Set(["manage:webhooks", "read:orders"])
  const visit = { call, scopes, root: "/console", person: { username: "ada" }, service: {} }
  const { text } = await overviewPage.show(visit as unknown as Visit)
  return text.replaceAll("\n", "").split(/(?=<section)/)
}
const counts = (waiting: string, failed: string) =>
  `<section class="tile"><h2>Deliveries</h2><dl class="counts"><div><dt>waiting</dt><dd>${waiting}</dd></div><div><dt>failed</dt><dd>${failed}</dd></div></dl>`

test("the overview shows the plan, the use of its limits, and the pets by status", async () => {
  const plan =
    '<section class="tile"><h2>Your plan</h2><p class="figure">pro</p><p class="soft">ada · account 4, Ada &amp; Co</p>'
  const [heading, none, pets] = await shown({})
  assert.equal(heading, '<h1>Overview</h1><div class="tiles">')
  assert.equal(none, `${plan}<p>No limits.</p></section>`)
  assert.equal(
    pets,
    '<section class="tile"><h2>Pets</h2><dl class="counts"><div><dt><a href="/console/pets?status=available">available</a></dt><dd>1,234</dd></div><div><dt><a href="/console/pets?status=sold">sold</a></dt><dd>0</dd></div></dl></section>',
  )
  const limit = (policy: string, used: number, quota: number) => ({ policy, used, quota })
  const bar = (text: string, kind: string, width: number) =>
    `<svg class="use" role="img" aria-label="${text}" viewBox="0 0 100 6" preserveAspectRatio="none"><rect class="unused" width="100" height="6" rx="1"/><rect class="${kind}" width="${width}" height="6" rx="1"/></svg>`
  const limits = [limit("minute", 59, 60), limit("hour", 60, 60), limit("day", 70, 60), limit("month", 0, 0)]
  const shownLimits = [
    ["minute", 59, 60, "used", (59 / 60) * 100],
    ["hour", 60, 60, "full", 100],
    ["day", 70, 60, "full", 100],
    ["month", 0, 0, "full", 0],
  ] as const
  assert.equal(
    (await shown({ limits }))[1],
    `${plan}${shownLimits
      .map(
        ([policy, used, quota, kind, width]) =>
          `<p class="measure"><span>This ${policy}</span> <span>${used} of ${quota}</span></p>${bar(`${used} of ${quota} requests used this ${policy}`, kind, width)}`,
      )
      .join("")}</section>`,
  )
})

test("the overview counts the deliveries that wait or have failed, and says when there may be more", async () => {
  const deliveries = async (given: Given) => (await shown(given))[3]
  assert.equal(
    await deliveries({}),
    `${counts("0", "0")}<p class="soft">There are no webhooks. <a href="/console/webhooks/new">Create one</a>.</p></section></div>`,
  )
  const link = (words: string) =>
    `<p class="soft">For <a href="/console/webhooks">${words} webhooks</a>.</p></section></div>`
  assert.equal(await deliveries({ webhooks: 2, deliveries: 3 }), `${counts("2", "6")}${link("2")}`)
  assert.equal(
    await deliveries({ webhooks: 1, deliveries: 100, moreDeliveries: true }),
    `${counts("1", "100 or more")}${link("1")}`,
  )
  assert.equal(
    await deliveries({ webhooks: 10, moreWebhooks: true, deliveries: 0 }),
    `${counts("10 or more", "0 or more")}${link("10 newest")}`,
  )
})

test("an administrator sees the requests of the process, which a named sandbox does not count", async () => {
  const slot = (startsAt: number) => ({ startsAt, requests: 5, refused: 2, failed: 1 })
  const summary = async (sandbox: string | undefined) => {
    const calls = {
      getOwnAccount: { value: { id: 2, name: "Ada", plan: "pro", limits: [] } },
      listAudit: { value: [] },
    }
    const service = { sandbox, traffic: () => [slot(0), slot(300_000)] }
    const { text } = await overviewPage.show(openVisit({ calls, service, scopes: ["admin"] }).visit)
    return /<p class="soft">(\d+ requests in [^.]*)/.exec(text)?.[1]
  }
  assert.equal(await summary(undefined), "10 requests in the last six hours: 4 refused, 2 failed")
  assert.equal(await summary("mine"), undefined)
})
