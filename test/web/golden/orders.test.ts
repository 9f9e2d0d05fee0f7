import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "orders", async ({ special, session, visitor, petstore }) => {
  const buyer = await session("customer")
  const place = async (petId: number) =>
    (await buyer.placeOrder({ body: { petId, shipDate: "2026-01-05T10:00:00Z" } })).value.id
  const [first, second] = [await place(1), await place(4)]
  petstore.clock.advance(3_600_000)
  const customer = await visitor("customer")
  await customer.see("/console/orders?sort=id")
  await customer.see("/console/orders?status=delivered&petId=1")
  await customer.see(`/console/orders/${first}`)
  await customer.see("/console/orders/new")
  await customer.see("/console/orders/new?petId=7")
  await customer.see("/console/orders/new?petId=999")
  await customer.see("/console/orders/new?petId=-1")
  await customer.send({ action: "place", petId: "7", quantity: "two", shipDate: "" })
  await customer.send({ action: "place", petId: "7", quantity: "2", shipDate: "2026-01-05T10:00" })
  await customer.send({ action: "cancel" })

  const staff = await visitor("staff")
  await staff.see("/console/orders?petId=1")
  await staff.see(`/console/orders/${first}`)
  await staff.send({ action: "approve" })
  await staff.send({ action: "deliver" })
  await special.deletePet({ params: { petId: 1 } })
  await staff.see(`/console/orders/${first}`)
  await staff.see("/console/orders?petId=1")
  await staff.open("/console/orders")
  const shown = [`${second} `, "999 "]
  await staff.send({ action: "approve", pick: [`${second}`, "999"], shown })
  await staff.open("/console/orders?petId=4")
  await staff.send({ action: "deliver", pick: [], shown })
  await staff.send({ action: "deliver", all: "yes", shown: [`${second} `] })
})

/** The rows of a list, as its form sends them. */
const shownIn = ({ html }: { html: string }): string[] =>
  [...html.matchAll(/name="shown" value="([^"]*)"/g)].map(([, value = ""]) => value.replaceAll("&quot;", '"'))

goldenPages(import.meta.dirname, "several-pets", async ({ special, visitor }) => {
  const names = ["Row <1>", "Row 2", "Row 3", "Row 4"]
  const { value } = await special.importPets({ body: names.map((name) => ({ name, photoUrls: [] })) })
  const ids = value.map(({ id }) => id as number)
  const staff = await visitor("staff")
  const before = shownIn(await staff.see("/console/pets?name=Row"))
  await staff.send({ action: "set-status", status: "lost", all: "yes", shown: before })
  await staff.send({ action: "set-status", status: "sold", pick: `${ids[0]}`, shown: before })
  await staff.send({ action: "set-status", status: "pending", all: "yes", shown: before })
  await special.placeOrder({ body: { petId: ids[3] ?? 0 } }).catch(() => undefined)
  const now = shownIn(await staff.open("/console/pets?name=Row"))
  await special.deletePet({ params: { petId: ids[1] ?? 0 } })
  await staff.send({ action: "delete", status: "", pick: ids.slice(0, 1).map(String), shown: now })
  await staff.send({ action: "delete", status: "", pick: ids.slice(0, 2).map(String), shown: now })
  await staff.confirm({ action: "delete", status: "", all: "yes", shown: now })
})
