import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { keySender, sender } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const send = keySender(petstore)

const ask = async (path: string, prefer = "count=exact", by = send) => {
  const { status, headers } = await by("GET", path, undefined, { prefer })
  assert.equal(status, 200)
  return [headers.get("total-count"), headers.get("preference-applied")]
}

before(async () => {
  const labels = { category: { name: "counted" }, tags: [{ name: "one" }, { name: "two" }] }
  const pets = Array.from({ length: 25 }, (_, n) => ({ name: `Counted ${n}`, photoUrls: [], ...labels }))
  assert.equal((await send("POST", "/pets/import", pets)).status, 200)
})

test("a list has its total on request, independent of its page", async () => {
  const inventory = (await send("GET", "/store/inventory")).value as Record<string, number>
  const all = String(Object.values(inventory).reduce((sum, pets) => sum + pets, 0))
  const totals: [query: string, total: string][] = [
    ["", all],
    ["?limit=1", all],
    ["?sort=name&limit=3", all],
    ["?status=sold", `${inventory.sold}`],
    ["?status=sold,sold&status=pending", String(Number(inventory.sold) + Number(inventory.pending))],
    ["?category=counted", "25"],
    ["?category=counted&status=pending", "0"],
    ["?tag=one&tag=two&limit=2", "25"],
    ["?name=COUNTED%201", "11"],
    ["?name=unknown", "0"],
    ["?tag=unknown", "0"],
  ]
  for (const [query, total] of totals) assert.deepEqual(await ask(`/pet${query}`), [total, "count=exact"], query)
})

test("without the preference, with another value of it and on other lists nothing is counted", async () => {
  for (const prefer of ["", "count=planned", "count", "counts=exact"])
    assert.deepEqual(await ask("/pet?limit=1", prefer), [null, null], prefer)
  assert.deepEqual(await ask("/pet/1"), [null, null])
  assert.deepEqual(await ask("/user"), [null, null])
})

test("counting ends at 10,000 entries, and the response says that there are at least so many (slow)", async () => {
  const tags = [{ name: "many" }, { name: "more" }]
  const pets = Array.from({ length: 500 }, (_, n) => ({ name: `m${n}`, photoUrls: [], tags }))
  for (let sent = 0; sent < 5500; sent += 500) assert.equal((await send("POST", "/pets/import", pets)).status, 200)
  assert.deepEqual(await ask("/pet?tag=many&limit=1"), ["5500", "count=exact"])
  const [total, applied] = await ask("/pet?tag=many&tag=more&limit=1")
  assert.equal(applied, "count=at-least")
  assert.ok(Number(total) > 4500 && Number(total) <= 5500, String(total))
})

test("the preference is applied beside others, and browsers can read the total", async () => {
  assert.deepEqual(await ask("/pet?limit=1&status=sold", "handling=strict, Count=Exact; x=y"), [
    "1",
    "count=exact, handling=strict",
  ])
  const { headers } = await send("GET", "/pet", undefined, { prefer: "count=exact", origin: "https://a.example" })
  assert.match(headers.get("access-control-expose-headers") ?? "", /Total-Count/)
})

test("customers count their own orders, staff all of them", async () => {
  const as = async (username: string, password: string) => {
    const { value } = await petstore.as("special-key").logIn({ body: { username, password } })
    return sender(petstore, "/api/v3", { authorization: `Bearer ${value}` })
  }
  const [customer, staff] = [await as("user3", "password3"), await as("user10", "password10")]
  const petId = ((await send("GET", "/pet?status=available&limit=1")).value as { id: number }[])[0]?.id
  const count = (by: typeof customer, query = "") => ask(`/store/order${query}`, "count=exact", by)
  const [own, all] = [await count(customer), await count(staff)].map(([total]) => Number(total)) as [number, number]
  assert.equal((await customer("POST", "/store/order", { petId }, {})).status, 200)
  assert.ok(own < all)
  assert.deepEqual(await count(customer), [`${own + 1}`, "count=exact"])
  assert.deepEqual(await count(staff), [`${all + 1}`, "count=exact"])
  assert.deepEqual(await count(customer, `?petId=${petId}&status=delivered`), ["0", "count=exact"])
  assert.deepEqual(await count(staff, `?petId=${petId}&status=placed`), ["1", "count=exact"])
})

test("petstore pets list --count says how many there are, beside the unchanged list", async () => {
  const run = (...argv: string[]) => petstoreCommand(petstore.url, ["pets", "list", ...argv])
  const [counted, plain] = [
    await run("--tag", "one", "--limit", "2", "--count"),
    await run("--tag", "one", "--limit", "2"),
  ]
  assert.equal(counted.out, plain.out)
  assert.match(counted.err, /^25 on all pages\.\nThere are more/)
  const both = await run("--all", "--count")
  assert.deepEqual(
    { code: both.code, says: /--count cannot be combined with --all/.test(both.err) },
    { code: 2, says: true },
  )
})
