import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "audit", async ({ special, session, visitor, petstore }) => {
  const owner = await session("admin")
  const { value: key } = await owner.createKey({ body: { name: "Gone", scopes: ["read:pets"] } })
  await owner.createKey({ body: { name: "Kept", scopes: ["read:pets"] } })
  await owner.revokeKey({ params: { id: key.id } })
  await owner.createWebhook({ body: { url: "http://127.0.0.1:9/one" } })
  await owner.createOAuthClient({
    body: { name: "Walker", redirectUris: ["https://w.example/cb"], scopes: ["read:pets"] },
  })
  await special.createAccount({ body: { name: "Partner", plan: "free" } })
  await special.logIn({ body: { username: "user5", password: "wrong" } }).catch(() => undefined)
  petstore.clock.advance(60_000)
  const admin = await visitor("admin")
  const { value: entries } = await special.listAudit({ query: { limit: 1000 } })
  await admin.see("/console/audit")
  await admin.see("/console/audit?action=key.created&since=2026-01-01T00:00&until=2026-01-01T00:01")
  await admin.see("/console/audit?action=key.created&until=2026-01-01T00:00")
  await admin.see("/console/audit?since=never&thing=key:1&principal=user:3")
  for (const action of [
    "key.created",
    "key.revoked",
    "webhook.created",
    "oauth-client.created",
    "account.created",
    "login.refused",
  ])
    await admin.see(`/console/audit/${entries.find((entry) => entry.action === action)?.id}`)
  for (const id of ["1", "0", "999", "9007199254740991", "x"]) await admin.see(`/console/audit/${id}`)
})
