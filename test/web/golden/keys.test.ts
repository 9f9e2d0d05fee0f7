import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "keys", async ({ session, visitor, petstore }) => {
  const admin = await visitor("admin")
  await admin.see("/console/keys")
  await admin.see("/console/keys/1")
  await admin.see("/console/keys/new")
  await admin.send({ action: "create", name: "", scopes: "read:pets", expiresAt: "tomorrow", allowedCidrs: "x" })
  const draft = { name: "Nightly <import>", allowedCidrs: "203.0.113.0/24\n198.51.100.7/32", accountId: "" }
  await admin.confirm({
    action: "create",
    scopes: ["read:pets", "write:orders"],
    expiresAt: "2026-01-01T03:00",
    ...draft,
  })
  const owner = await session("admin")
  await owner.createKey({ body: { name: "Used", scopes: ["read:pets"] } })
  const { value: used } = await owner.createKey({ body: { name: "Used today", scopes: ["read:pets"] } })
  await petstore.as(used.secret).getPetById({ params: { petId: 1 } })
  petstore.clock.advance(7_200_000)
  const id = used.id
  await admin.see("/console/keys")
  await admin.see(`/console/keys/${id}`)
  await admin.send({ action: "rotate", overlap: "soon", "console-confirmed": "yes" })
  await admin.confirm({ action: "rotate", overlap: "3600" })
  await admin.see(`/console/keys/${id}`)
  await admin.open(`/console/keys/${id - 1}`)
  await admin.send({ action: "rotate", overlap: "0" })
  await admin.see(`/console/keys/${id - 2}`)
  await admin.send({ action: "revoke" })
  petstore.clock.advance(3_599_999)
  await admin.see("/console/keys")
  petstore.clock.advance(1)
  await admin.see("/console/keys")
  await admin.see("/console/keys/999")
})

goldenPages(import.meta.dirname, "applications", async ({ visitor }) => {
  const admin = await visitor("admin")
  await admin.see("/console/applications")
  await admin.see("/console/applications/new")
  const redirectUris = "https://walker.example/callback\nhttp://localhost:1/back"
  await admin.send({ action: "register", name: "", type: "public", redirectUris: "x", scopes: [] })
  await admin.confirm({ action: "register", name: "In a browser", type: "public", redirectUris, scopes: ["read:pets"] })
  await admin.open("/console/applications/new")
  await admin.send({
    action: "register",
    name: "Pet walker",
    type: "confidential",
    redirectUris: "",
    scopes: "read:pets",
  })
  await admin.see("/console/applications")
  await admin.see("/console/applications/3")
  await admin.see("/console/applications/4")
  await admin.send({ action: "save", name: "Dog walker", redirectUris, scopes: ["read:pets", "write:pets"] })
  await admin.send({ action: "save", name: "Dog walker", redirectUris: "x", scopes: ["read:pets", "write:pets"] })
  await admin.open("/console/applications/4")
  await admin.send({ action: "rotate" })
  await admin.open("/console/applications/4")
  await admin.send({ action: "delete" })
  await admin.see("/console/consents")
})
