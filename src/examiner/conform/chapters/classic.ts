import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { idsOf, readPages } from "../pages.ts"
import {
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  readPet,
  type Subject,
  unusedId,
} from "../subject.ts"
import { draftUser, logInFirst, password, register, registerFirst } from "../users.ts"

/** An order that must succeed. */
async function order(subject: Subject): Promise<{ id: number; petId: number; quantity: number; status: string }> {
  const { id: petId } = await addPetFirst(subject)
  const more = { quantity: 2, shipDate: "2030-01-31T12:00:00Z", status: "placed", complete: false }
  const body = { id: unusedId(), petId, ...more }
  const reply = await subject.send("POST", "/store/order", { body })
  expectStatus(reply, 200)
  return jsonOf(reply)
}

async function countPending({ send }: Subject): Promise<number> {
  const reply = await send("GET", "/store/inventory")
  expectStatus(reply, 200)
  return (jsonOf(reply) as Record<string, number>).pending ?? 0
}

const xml = "application/xml"

/** The other operations of the public Petstore v3. */
export const classic: ConformChapter = {
  name: "Classic operations",
  tasks: [
    {
      name: "updates-with-a-form",
      expects: "POST /pet/{petId}?name=…&status=… changes these, and nothing else.",
      source: "description",
      async examine(subject) {
        const pet = await addPetFirst(subject, { tags: [{ name: "calm" }] })
        expectStatus(await subject.send("POST", `/pet/${pet.id}?name=Max&status=sold`), 200)
        expectEqual(await readPet(subject, pet.id), { ...pet, name: "Max", status: "sold" }, "the pet")
      },
    },
    {
      name: "counts-the-inventory",
      expects: "GET /store/inventory has the number of pets by status; one more pet is one more.",
      source: "description",
      async examine(subject) {
        const before = await countPending(subject)
        await addPetFirst(subject, { status: "pending" })
        expectEqual(await countPending(subject), before + 1, "the number of pending pets")
      },
    },
    {
      name: "counts-what-is-listed",
      expects: "The numbers of GET /store/inventory are those of the pets that GET /pet/findByStatus lists.",
      source: "description",
      async examine(subject) {
        await addPetFirst(subject)
        const reply = await subject.send("GET", "/store/inventory")
        expectStatus(reply, 200)
        for (const status of ["available", "pending", "sold"]) {
          const listed = (await readPages(subject, `/pet/findByStatus?status=${status}`)).flatMap(idsOf)
          expectEqual(jsonOf(reply)[status] ?? 0, listed.length, `the number of ${status} pets`)
        }
      },
    },
    {
      name: "takes-an-order",
      expects: "POST /store/order is 200 with the order, which GET reads.",
      source: "description",
      async examine(subject) {
        const placed = await order(subject)
        expectEqual(
          { quantity: placed.quantity, status: placed.status },
          { quantity: 2, status: "placed" },
          "the order",
        )
        const reply = await subject.send("GET", `/store/order/${placed.id}`)
        expectStatus(reply, 200)
        expectEqual(jsonOf(reply), placed, "the order")
      },
    },
    {
      name: "deletes-an-order",
      expects: "DELETE /store/order/{orderId} is 200, and the order 404 from then on.",
      source: "description",
      async examine(subject) {
        const { id } = await order(subject)
        expectStatus(await subject.send("DELETE", `/store/order/${id}`), 200)
        expectStatus(await subject.send("GET", `/store/order/${id}`), 404)
      },
    },
    {
      name: "unknown-orders-are-404",
      expects: "An order that does not exist is 404; one whose id is no number is 400.",
      source: "description",
      async examine({ send }) {
        const id = unusedId()
        expectStatus(await send("GET", `/store/order/${id}`), 404)
        expectStatus(await send("DELETE", `/store/order/${id}`), 404)
        expectStatus(await send("GET", "/store/order/first"), 400)
      },
    },
    {
      name: "registers-and-reads-a-user",
      expects: "POST /user creates a user, whom GET reads.",
      source: "description",
      async examine(subject) {
        const registered = await register(subject)
        const reply = await subject.send("GET", `/user/${registered}`)
        expectStatus(reply, 200)
        const { username, firstName } = jsonOf(reply)
        expectEqual({ username, firstName }, { username: registered, firstName: "Ada" }, "the user")
      },
    },
    {
      name: "hides-passwords",
      expects: "No response has the password of a user.",
      source: "ours",
      async examine(subject) {
        const username = await registerFirst(subject)
        const { text } = await subject.send("GET", `/user/${username}`)
        claim(text.includes(username), "a user cannot be read")
        expect(!text.includes(password), "the response contains the password")
      },
    },
    {
      name: "registers-a-list",
      expects: "POST /user/createWithList creates each user of the list.",
      source: "description",
      async examine(subject) {
        const users = [draftUser(), draftUser()]
        expectStatus(await subject.send("POST", "/user/createWithList", { body: users }), 200)
        for (const { username } of users)
          expectEqual(jsonOf(await subject.send("GET", `/user/${username}`)).username, username, "the name")
      },
    },
    {
      name: "updates-a-user",
      expects: "PUT /user/{username} is 200, and changes the record.",
      source: "description",
      async examine(subject) {
        const username = await registerFirst(subject)
        const user = jsonOf(await subject.send("GET", `/user/${username}`))
        expectStatus(await subject.send("PUT", `/user/${username}`, { body: { ...user, firstName: "Grace" } }), 200)
        const { firstName } = jsonOf(await subject.send("GET", `/user/${username}`))
        expectEqual(firstName, "Grace", "firstName")
      },
    },
    {
      name: "deletes-a-user",
      expects: "DELETE /user/{username} is 200, and the user 404 from then on.",
      source: "description",
      async examine(subject) {
        const username = await registerFirst(subject)
        expectStatus(await subject.send("DELETE", `/user/${username}`), 200, 204)
        expectStatus(await subject.send("GET", `/user/${username}`), 404)
      },
    },
    {
      name: "logs-in",
      expects: "GET /user/login is 200 with X-Rate-Limit and X-Expires-After; a wrong password is 400.",
      source: "description",
      async examine(subject) {
        const username = await registerFirst(subject)
        const logIn = (given: string) =>
          subject.send("GET", `/user/login?${new URLSearchParams({ username, password: given })}`, { key: undefined })
        const reply = await logIn(password)
        expectStatus(reply, 200)
        for (const name of ["x-rate-limit", "x-expires-after"]) expect(reply.headers.has(name), `${name} is missing`)
        expectStatus(await logIn("wrong"), 400)
      },
    },
    {
      name: "ends-with-the-logout",
      expects: "After GET /user/logout, which is 200, the token of a login is 401.",
      source: "ours",
      async examine(subject) {
        const username = await registerFirst(subject)
        const credential = await logInFirst(subject, username)
        claim(
          (await subject.send("GET", `/user/${username}`, credential)).status === 200,
          "its tokens are not accepted",
        )
        expectStatus(await subject.send("GET", "/user/logout", credential), 200)
        expectStatus(await subject.send("GET", `/user/${username}`, credential), 401)
      },
    },
    {
      name: "responds-with-xml",
      expects: "A pet is XML with Accept: application/xml.",
      source: "description",
      async examine(subject) {
        const { id } = await addPetFirst(subject, { name: "<Rex & Max>" })
        const reply = await subject.send("GET", `/pet/${id}`, { headers: { accept: xml } })
        expectStatus(reply, 200)
        expect(reply.headers.get("content-type")?.startsWith(xml) === true, "the media type is another")
        expect(/<[Pp]et>/.test(reply.text) && reply.text.includes("&lt;Rex &amp; Max"), `the body is ${reply.text}`)
      },
    },
    {
      name: "accepts-xml",
      expects: "POST /pet accepts a pet as XML.",
      source: "description",
      async examine(subject) {
        const headers = { "content-type": xml }
        const photos = "<photoUrls><photoUrl>p</photoUrl></photoUrls>"
        const body = `<pet><id>${unusedId()}</id><name>Rex</name>${photos}<status>sold</status></pet>`
        const reply = await subject.send("POST", "/pet", { headers, body })
        expectStatus(reply, 200)
        const { name, status, photoUrls } = jsonOf(reply)
        expectEqual({ name, status, photoUrls }, { name: "Rex", status: "sold", photoUrls: ["p"] }, "the pet")
      },
    },
    {
      name: "reads-no-entities",
      expects: "XML that declares an entity is refused.",
      source: "ours",
      async examine(subject) {
        await addPetFirst(subject)
        const entity = '<!DOCTYPE pet [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
        const body = `${entity}<pet><id>${unusedId()}</id><name>&e;</name><photoUrls/></pet>`
        expectRefusal(await subject.send("POST", "/pet", { headers: { "content-type": xml }, body }))
      },
    },
    {
      name: "accepts-a-form",
      expects: "POST /pet accepts a form.",
      source: "description",
      async examine({ send }) {
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const body = `id=${unusedId()}&name=Rex&photoUrls=p&photoUrls=q&status=sold`
        const reply = await send("POST", "/pet", { headers, body })
        expectStatus(reply, 200)
        const { name, status, photoUrls } = jsonOf(reply)
        expectEqual({ name, status, photoUrls }, { name: "Rex", status: "sold", photoUrls: ["p", "q"] }, "the pet")
      },
    },
  ],
}
