import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { newPet } from "../../harness/samples.ts"
import { before, usePetstore } from "../../harness/use.ts"

// The tests change more rows than a plan allows, while the clock stands still.
const petstore = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" } })
before(() => appoint(petstore))
const admin = () => petstore.as("special-key")

type Visitor = Awaited<ReturnType<typeof signedIn>>

const addPets = async (...names: string[]) => {
  const { value } = await admin().importPets({ body: names.map((name) => ({ name, photoUrls: [] })) })
  return value.map(({ id }) => id as number)
}
const statusesOf = (ids: readonly number[]) =>
  Promise.all(
    ids.map(async (petId) => {
      try {
        return (await admin().getPetById({ params: { petId } })).value.status
      } catch {
        return "deleted"
      }
    }),
  )

/** The rows of a list, as its form sends them. */
const shownIn = (html: string): string[] =>
  [...html.matchAll(/name="shown" value="([^"]*)"/g)].map(([, value = ""]) => value.replaceAll("&quot;", '"'))

/** Opens a list, lets something else happen, and then submits the form of its ticked rows. */
async function change(
  visitor: Visitor,
  path: string,
  fields: Record<string, string | readonly string[]>,
  meanwhile = async () => {},
) {
  const { html, url } = await visitor.go(`/console${path}`)
  await meanwhile()
  return visitor.submitTo(url, { ...fields, shown: shownIn(html) })
}

describe("a list of the console", () => {
  test("has the chosen number of rows, and counts the pets of a status", async () => {
    await admin().importPets({ body: Array.from({ length: 120 }, (_, n) => ({ name: `Row ${n}`, photoUrls: [] })) })
    const visitor = await signedIn(petstore, "customer")
    const rowsOf = ({ html }: { html: string }) => html.split('<tr role="row"><td').length - 1
    for (const [limit, rows] of Object.entries({ "": 25, 50: 50, 100: 100, 7: 25, 1000: 25 }))
      assert.equal(rowsOf(await visitor.go(`/console/pets?limit=${limit}`)), rows, limit)
    const { html } = await visitor.go("/console/pets?limit=50&status=available")
    const { value: inventory } = await admin().getInventory()
    assert.ok(html.includes(`>${inventory.available} pets<`))
    assert.match(html, /<input type="hidden" name="limit" value="50">/)
    assert.doesNotMatch((await visitor.go("/console/pets?name=Row")).html, /\d pets</)
  })

  test("reports filters that cannot be combined beside the field, and keeps the input", async () => {
    const visitor = await signedIn(petstore, "customer")
    const { html } = await visitor.go("/console/pets?name=Rex&tag=quiet&status=sold")
    assert.match(html, /<label for="name">Name begins with<\/label>/)
    assert.match(html, /<p class="error" id="name-error" role="alert">This cannot be combined with tag/)
    assert.match(html, /<input id="name"[^>]*value="Rex"[^>]*aria-invalid="true" aria-describedby="[^"]*name-error"/)
    assert.match(html, /<input id="tag"[^>]*value="quiet"/)
    assert.match(html, /<option value="sold" selected>/)
  })
})

test("the list of pets combines category and tag", async () => {
  for (const tag of ["calm", "wild"])
    await newPet(admin(), { name: `Otter ${tag}`, category: { name: "Otter" }, tags: [{ name: tag }] })
  const { html } = await (await signedIn(petstore, "customer")).go("/console/pets?category=Otter&tag=calm")
  assert.match(html, /Otter calm/)
  assert.doesNotMatch(html, /Otter wild/)
})

describe("several rows of a list", () => {
  test("are pets that get a status; one that was changed in the meantime is not overwritten, but listed", async () => {
    const ids = await addPets("Bulk one", "Bulk two", "Bulk three")
    const [one, two, three] = ids as [number, number, number]
    const staff = await signedIn(petstore, "staff")
    const fields = { action: "set-status", status: "sold", pick: [`${one}`, `${two}`] }
    const { html, status } = await change(staff, "/pets?name=Bulk&limit=50", fields, async () => {
      await admin().patchPet({ params: { petId: two }, body: { name: "Bulk & changed" } })
    })
    assert.equal(status, 200)
    assert.match(html, /<h1>1 pet was not changed<\/h1>/)
    assert.match(html, /1 pet was set to sold\. This one was refused/)
    assert.match(html, new RegExp(`/pets/${two}">Bulk &amp; changed</a>.*It was changed after the list was shown`, "s"))
    assert.match(html, /href="\/console\/pets\?name=Bulk&amp;limit=50">Back to the list/)
    assert.deepEqual(await statusesOf(ids), ["sold", "available", "available"])

    const done = await change(staff, "/pets?name=Bulk", { action: "set-status", status: "pending", all: "yes" })
    assert.match(done.html, /3 pets were set to pending/)
    assert.equal(done.url.search, "?name=Bulk")
    assert.deepEqual(await statusesOf([one, two, three]), ["pending", "pending", "pending"])
  })

  test("are deleted with the password, except a pet with an open order", async () => {
    const ids = await addPets("Gone one", "Gone two")
    await admin().placeOrder({ body: { petId: ids[1] as number } })
    const staff = await signedIn(petstore, "staff")
    const fields = { action: "delete", status: "", all: "yes" }
    const shown = shownIn((await staff.go("/console/pets?name=Gone")).html)
    const question = await staff.submit({ ...fields, shown })
    assert.match(question.html, /Confirm with your password/)
    assert.match(
      question.html,
      /<h1>Delete 2 pets\?<\/h1>\s*<p>Gone (one|two) and Gone (one|two)\. This cannot be undone/,
    )
    assert.match(question.html, /href="[^"]*\/console\/pets\?name=Gone">Cancel/)
    assert.deepEqual(await statusesOf(ids), ["available", "pending"])
    const { html } = await staff.submit({ shown, "console-password": passwordOf(people.staff) })
    assert.match(html, /1 pet was deleted/)
    assert.match(html, /Gone two<.*an order that is not delivered yet/s)
    assert.deepEqual(await statusesOf(ids), ["deleted", "pending"])

    await addPets("Also one", "Also two", "Also three", "Also four")
    const more = shownIn((await staff.go("/console/pets?name=Also")).html)
    const again = await staff.submit({ ...fields, shown: more })
    assert.match(again.html, /<h1>Delete 4 pets\?<\/h1>\s*<p>Also \w+, Also \w+ and 2 more\./)
    assert.doesNotMatch(again.html, /Confirm with your password/)
    assert.match((await staff.submit({ shown: more })).html, /4 pets were deleted/)
  })

  test("are orders that move one step; those of another status are listed", async () => {
    const place = async (petId: number) => (await admin().placeOrder({ body: { petId } })).value.id
    const [first, second] = await Promise.all((await addPets("Ordered one", "Ordered two")).map(place))
    const staff = await signedIn(petstore, "staff")
    const pick = [`${first}`, `${second}`]
    const { html } = await change(staff, "/orders", { action: "approve", pick }, async () => {
      await admin().patchOrder({ params: { orderId: second as number }, body: { status: "approved" } })
    })
    assert.match(html, new RegExp(`1 order was approved.*Order ${second} is approved and can only become`, "s"))
    assert.match((await change(staff, "/orders", { action: "deliver", pick })).html, /2 orders were delivered/)
    const { value } = await admin().getOrderById({ params: { orderId: first as number } })
    assert.equal(value.status, "delivered")
  })

  test("must be selected, are at most a page, and an unknown status changes none", async () => {
    const [id] = await addPets("Unchanged")
    const staff = await signedIn(petstore, "staff")
    const none = await change(staff, "/pets", { action: "set-status", status: "sold" })
    assert.match(none.html, /role="alert">Select at least one row/)
    const pick = Array.from({ length: 101 }, (_, n) => `${n + 1}`)
    const tooMany = await staff.submit({ action: "set-status", status: "sold", all: "yes", shown: pick })
    assert.match(tooMany.html, /role="alert">Select at most 100 rows/)
    const unknown = await change(staff, "/pets?name=Unchanged", { action: "set-status", status: "lost", all: "yes" })
    assert.match(unknown.html, /No pets were set to lost.*status must be/s)
    assert.deepEqual(await statusesOf([id as number, 1]), ["available", "available"])
  })

  test("cannot be selected by customers, and a form of theirs is refused row by row", async () => {
    const customer = await signedIn(petstore, "customer")
    for (const path of ["/pets", "/orders"])
      assert.doesNotMatch((await customer.go(`/console${path}`)).html, /name="(pick|all|shown)"/, path)
    const { html } = await customer.submit({ action: "approve", all: "yes", shown: "1 " })
    assert.match(html, /No orders were approved.*Only staff may approve/s)
  })
})
