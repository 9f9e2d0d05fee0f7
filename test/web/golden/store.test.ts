import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "store", async ({ special, visitor, fetch, petstore }) => {
  const anonymous = await visitor("anonymous")
  await anonymous.seeWhole("/?status=sold")
  await anonymous.see("/")
  await anonymous.see("/?name=Li&sort=-name")
  await anonymous.see("/?category=Cats&tag=tag1&status=available&sort=id")
  await anonymous.see("/?name=none")
  await anonymous.see("/?name=Cat&category=Cats")
  await anonymous.see("/?cursor=none")
  await anonymous.see("/pets/1")
  await anonymous.see("/pets/1?order=1")
  await anonymous.see("/pets/1?order=999")
  await anonymous.see("/pets/1?order=x")
  await anonymous.see("/pets/0")
  const order = { method: "POST", headers: { origin: petstore.url, accept: "text/html" } }
  await fetch("/pets/1/order", order)
  await fetch("/pets/1/order", order)
  await fetch("/pets/999/order", order)
  await fetch("/pets/4/order", { ...order, headers: { ...order.headers, origin: "https://evil.example" } })
  await anonymous.see("/pets/1?order=4")
  await anonymous.see("/pets/2?order=4")
  const name = "A name that is longer than forty characters"
  const draft = {
    photoUrls: [],
    category: { name: "Dogs & <b>" },
    tags: ["a", "b", "b", "c", "d", "e"].map((tag) => ({ name: tag })),
  }
  await special.addPet({ body: { name: name.slice(0, 40), ...draft } })
  await special.addPet({ body: { name: name.slice(0, 41), ...draft, tags: [{ name: "b" }, { name: "c" }] } })
  await special.patchPet({ params: { petId: 11 }, body: { status: "pending" } })
  await special.deletePet({ params: { petId: 2 } })
  await anonymous.see("/pets/11")
  await anonymous.see("/pets/12")
  await anonymous.see("/?category=Dogs+%26+%3Cb%3E")
  petstore.clock.advance(3_600_000)
  await anonymous.see("/")
  await special.importPets({ body: Array.from({ length: 30 }, (_, n) => ({ name: `Row ${n}`, photoUrls: [] })) })
  const { html } = await anonymous.see("/?name=Row&status=available")
  const [, next = ""] = /href="\.(\/[^"]*)" rel="next"/.exec(html) ?? []
  await anonymous.see(next.replaceAll("&amp;", "&"))

  const customer = await visitor("customer")
  await customer.seeWhole("/?status=pending")
  await customer.see("/pets/4")
  await customer.send({}, `${petstore.url}/pets/4/order`)
  const staff = await visitor("staff")
  await staff.see("/pets/4")
  await staff.see("/?status=sold")
})

const production = {
  PETSTORE_PROFILE: "production",
  PETSTORE_PUBLIC_URL: "https://pets.example/shop",
  PETSTORE_PUBLIC_STORE: "on",
  PETSTORE_SECURITY_CONTACT: "mailto:security@pets.example",
}

goldenPages(
  import.meta.dirname,
  "production",
  async ({ fetch }) => {
    const headers = { accept: "text/html" }
    for (const path of [
      "/",
      "/docs/descriptions",
      "/problems/nothing",
      "/console/sign-in?next=%2Fpets",
      "/console/pets",
      "/console/requests",
    ])
      await fetch(path, { headers })
    for (const path of [
      "/llms.txt",
      "/robots.txt",
      "/.well-known/security.txt",
      "/.well-known/api-catalog",
      "/swagger.json?a=b",
    ])
      await fetch(path)
  },
  { env: production, isBare: true },
)
