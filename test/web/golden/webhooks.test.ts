import { goldenPages } from "../../harness/golden-pages.ts"
import { startReceiver } from "../../harness/receiver.ts"

/** The next attempt follows the end of the last one, which took as long as it really did. */
const replaced = [[/2026-01-01([T ]00:00:0)\d(\.\d+Z| UTC)/g, "2026-01-01$1N"]] as const

goldenPages(
  import.meta.dirname,
  "webhooks",
  async ({ special, session, visitor, petstore }) => {
    await using receiver = await startReceiver()
    receiver.respond((request, response) => {
      if (request.url === "/fails?key=1") response.writeHead(500).end('{"error":"the <warehouse> is closed"}')
      else if (request.url === "/gone") response.writeHead(410).end()
      else response.writeHead(200).end("thank you")
    })
    const admin = await visitor("admin")
    await admin.see("/console/webhooks")
    await admin.see("/console/webhooks/new")
    await admin.send({ action: "create", url: "ftp://x", description: "", events: [] })
    await admin.send({ action: "create", url: `${receiver.url}/takes`, description: "", events: "*" })
    const owner = await session("admin")
    const fails = { url: `${receiver.url}/fails?key=1`, description: "Warehouse", events: ["pet.created" as const] }
    await owner.createWebhook({ body: { ...fails, events: ["pet.created", "order.placed"], ordered: true } })
    await owner.createWebhook({ body: { url: `${receiver.url}/gone`, events: ["pet.created"] } })
    await admin.see("/console/webhooks/1")
    await special.addPet({ body: { name: "Rex", photoUrls: [] } })
    await receiver.until(({ length }) => length >= 3)
    await petstore.worker.idle()
    await admin.open("/console/webhooks/2")
    await admin.act({ action: "pause" })
    petstore.clock.advance(2 * 3_600_000)
    await admin.see("/console/webhooks")
    await admin.see("/console/webhooks/1?state=delivered")
    await admin.see("/console/webhooks/1?state=failed")
    await admin.see("/console/webhooks/2")
    await admin.see("/console/webhooks/3?state=none")
    const { value: pending } = await owner.listDeliveries({ params: { webhookId: 2 } })
    await admin.see(`/console/webhooks/2/deliveries/${pending[0]?.id}`)
    await admin.send({ action: "retry" })
    receiver.respond((_, response) => void response.writeHead(204).end())
    await admin.open("/console/webhooks/2")
    await admin.act({ action: "resume" })
    await receiver.until(({ length }) => length >= 4)
    await petstore.worker.idle()
    await admin.see("/console/webhooks/2")
    await admin.send({ action: "pause" })
    await admin.send({ action: "retry", since: "" })
    await admin.send({ action: "retry", since: "2026-01-01T00:00" })
    await admin.see(`/console/webhooks/2/deliveries/${pending[0]?.id}`)
    await admin.see("/console/webhooks/2/settings")
    await admin.send({ action: "save", url: "x", description: "", events: "*" })
    await admin.send({ action: "save", url: `${receiver.url}/takes`, description: "", events: "*", ordered: "yes" })
    await admin.open("/console/webhooks/2/settings")
    await admin.confirm({ action: "rotate" })
    await admin.open("/console/webhooks/1/settings")
    await admin.send({ action: "delete" })
    await admin.see("/console/webhooks/1")
  },
  { replaced },
)
