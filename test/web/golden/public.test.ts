import { goldenPages } from "../../harness/golden-pages.ts"

goldenPages(import.meta.dirname, "public", async ({ visitor, fetch }) => {
  const anonymous = await visitor("anonymous")
  await anonymous.seeWhole("/problems/too-many-streams")
  await anonymous.see("/problems/not-found")
  await anonymous.see("/problems/nothing")
  await anonymous.see("/problems")
  await anonymous.see("/docs/descriptions")
  const { html } = await anonymous.seeWhole("/docs")
  await fetch(`/${/assets\/start-\w+\.js/.exec(html)?.[0]}`)
  await anonymous.see("/nothing/here")
  await anonymous.see("/api/v3/nothing")
  for (const path of [
    "/llms.txt",
    "/robots.txt",
    "/.well-known/security.txt",
    "/.well-known/api-catalog",
    "/favicon.svg",
  ])
    await fetch(path)
  for (const path of ["/openapi.json?a=b", "/openapi.yaml", "/swagger.json", "/swagger.yaml", "/assets/nothing.js"])
    await fetch(path)
  await fetch("/problems", { method: "POST", headers: { accept: "text/html" } })
  await fetch("/problems/not-found", { headers: { accept: "text/html", "accept-encoding": "gzip" } })
})

goldenPages(import.meta.dirname, "console", async ({ visitor, fetch, petstore }) => {
  const customer = await visitor("customer")
  await customer.seeWhole("/console")
  await customer.seeWhole("/console/pets/new")
  const staff = await visitor("staff")
  await staff.seeWhole("/console/users/new")
  await staff.see("/console/audit")
  const admin = await visitor("admin")
  await admin.seeWhole("/search?q=%3Cb%3E")
  await admin.seeWhole("/console/nothing")
  const html = { accept: "text/html" }
  await fetch("/console/pets?status=sold", { headers: html })
  await fetch("/console/pets?status=sold", { headers: { ...html, "sec-fetch-site": "cross-site", cookie: "a=b" } })
  await fetch("/console/sign-in", { method: "HEAD", headers: html })
  await fetch("/console/pets", { method: "POST", headers: { ...html, origin: petstore.url }, body: "a=b" })
  await fetch("/console/pets", { method: "POST", headers: { ...html, origin: "https://evil.example" }, body: "a=b" })
  await fetch("/console/events/stream", { headers: { accept: "text/event-stream" } })
  const form = "f".repeat(32)
  const signIn = (fields: Record<string, string>, cookie = `petstore_form=${form}`) => ({
    method: "POST",
    headers: { ...html, cookie },
    body: new URLSearchParams({ form, ...fields }),
  })
  await fetch("/console/sign-in?next=%2Fpets", signIn({ username: "user4", password: "password4" }))
  await fetch("/console/sign-in?next=//evil.example", signIn({ username: "user4", password: "password4" }))
  await fetch("/console/sign-in", signIn({ username: "user4" }))
  await fetch("/console/sign-in", signIn({ username: "user4", password: "password4" }, "a=b"))
  await fetch("/console/sign-out", signIn({}))
  await fetch("/console/", { headers: html })
  await fetch("/console/pets?a=b", { method: "HEAD", headers: html })
})
