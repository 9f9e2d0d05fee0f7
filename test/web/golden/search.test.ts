import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "search", async ({ special, session, visitor }) => {
  const owner = await session("admin")
  await owner.createKey({ body: { name: "Rex nightly", scopes: ["read:pets", "write:pets"] } })
  await owner.createWebhook({ body: { url: "http://127.0.0.1:9/one", description: "The Rex feed" } })
  await owner.createWebhook({ body: { url: "http://127.0.0.1:9/rex" } })
  await owner.createOAuthClient({
    body: { name: "REX walker", redirectUris: ["https://w.example/cb"], scopes: ["read:pets"] },
  })
  await special.createAccount({ body: { name: "Rex & Co", plan: "free" } })
  const names = Array.from({ length: 11 }, (_, n) => `Rex ${n}`)
  await special.importPets({ body: names.map((name) => ({ name, photoUrls: [] })) })
  const { value: pet } = await owner.addPet({ body: { name: "2 in the name", photoUrls: [] } })
  const [first] = (await owner.listEvents({ query: { limit: 1, sort: "-id" } })).value
  const admin = await visitor("admin")
  await admin.see("/search")
  for (const text of [" Rex", "user1", "pet-not-found", "placeOrder", first?.id ?? "", "evt_"])
    await admin.see(`/search?${new URLSearchParams({ q: text })}`)
  const staff = await visitor("staff")
  for (const text of ["2", `${pet.id}`, "0", "9007199254740993", "nothing at all", "<b>"])
    await staff.see(`/search?${new URLSearchParams({ q: text })}`)
  const customer = await visitor("customer")
  for (const text of ["", "Rex", "1", "user1", "evt_1", "nothing at all"])
    await customer.see(`/search?${new URLSearchParams({ q: text })}`)
  const anonymous = await visitor("anonymous")
  for (const text of ["", "Rex 1", "order 1"]) await anonymous.see(`/search?${new URLSearchParams({ q: text })}`)
})
