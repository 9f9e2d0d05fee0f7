import { readFile } from "node:fs/promises"
import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "pets", async ({ special, visitor }) => {
  const { value: rex } = await special.addPet({
    body: { name: "Rex & Ada", photoUrls: ["https://pets.example/rex.jpg"], category: { name: "Dogs" }, tags: [] },
  })
  const customer = await visitor("customer")
  await customer.see("/console/pets?status=sold&limit=50&sort=-name")
  await customer.see("/console/pets?name=none")
  await customer.see("/console/pets?name=Rex&tag=calm")
  await customer.see("/console/pets?cursor=none&category=Dogs")
  await customer.see(`/console/pets/${rex.id}`)
  await customer.see("/console/pets/2")

  const staff = await visitor("staff")
  await staff.see("/console/pets?category=Dogs")
  await staff.see("/console/pets/new")
  await staff.send({ action: "add", name: " ", category: "Cats", status: "sold", tags: "a\nb", photoUrls: "no-url" })
  await staff.send({ action: "add", name: "Tom", category: "Cats", status: "", tags: "one\ntwo", photoUrls: "" })
  await staff.see(`/console/pets/${rex.id}`)
  await special.patchPet({ params: { petId: rex.id }, body: { status: "pending" } })
  const changed = { action: "save", name: "Rexy", category: "", status: "sold", tags: "", photoUrls: "" }
  await staff.send(changed)
  await staff.open(`/console/pets/${rex.id}`)
  await staff.send({ ...changed, name: "" })
  await staff.open(`/console/pets/${rex.id}`)
  await staff.send({ ...changed, category: "Dogs", tags: "calm\nold", photoUrls: "https://pets.example/new.jpg" })

  await staff.see("/console/pets/1/photos")
  await staff.see(`/console/pets/${rex.id}/photos`)
  await staff.sendFile("upload", "no photo", { additionalMetadata: "Asleep" })
  await staff.open(`/console/pets/${rex.id}/photos`)
  const photo = await readFile(new URL("../../../src/parts/sandbox/seeds/images/cat-1-640.webp", import.meta.url))
  await staff.sendFile("upload", photo, { additionalMetadata: "Asleep <b>" })
  const { html } = await staff.open(`/console/pets/${rex.id}/photos`)
  await staff.send({ action: "remove", sha256: /name="sha256" value="(\w+)"/.exec(html)?.[1] ?? "" })

  await staff.open(`/console/pets/${rex.id}`)
  await staff.send({ action: "delete" })
  await staff.send({ action: "delete", "console-password": "wrong" })
  await staff.send({ action: "delete", "console-password": "password2" })
  await staff.see(`/console/pets/${rex.id}`)
  await staff.see("/console/pets/0")
})

goldenPages(import.meta.dirname, "pet-history", async ({ session, visitor, petstore }) => {
  const owner = await session("admin")
  const { value: rex } = await owner.addPet({ body: { name: "Rex", photoUrls: [] } })
  const params = { petId: rex.id }
  const admin = await visitor("admin")
  const url = "http://127.0.0.1:9/one?token=secret"
  await owner.createWebhook({ body: { url, events: ["pet.updated"] } })
  await owner.createWebhook({ body: { url, description: "Two", events: ["pet.updated", "order.cancelled"] } })
  for (let n = 1; n <= 6; n++) {
    const { value } = await owner.placeOrder({ body: { ...params, quantity: n, shipDate: "2026-02-03T04:05:06Z" } })
    if (n < 6) await owner.deleteOrder({ params: { orderId: value.id } })
  }
  await owner.patchPet({ params, body: { name: "Rexy" } })
  await petstore.worker.idle()
  petstore.clock.advance(90_000)
  await admin.see(`/console/pets/${rex.id}`)
  await (await visitor("staff")).see(`/console/pets/${rex.id}`)
})
