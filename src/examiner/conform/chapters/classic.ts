import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import {
  addAnyPet,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  readPet,
  type Subject,
  unusedName,
} from "../subject.ts"

/** An order that must succeed. */
async function order(subject: Subject): Promise<{ id: number; petId: number; quantity: number; status: string }> {
  const { id: petId } = await addAnyPet(subject)
  const body = { petId, quantity: 2, shipDate: "2030-01-31T12:00:00Z", status: "placed", complete: false }
  const reply = await subject.send("POST", "/store/order", { body })
  expectStatus(reply, 200)
  return jsonOf(reply)
}

const password = "correct horse 7"

/** Registers a user, which must succeed. */
async function register({ send }: Subject): Promise<string> {
  const username = unusedName("ada")
  expectStatus(await send("POST", "/user", { body: { username, password, firstName: "Ada" } }), 200)
  return username
}

/** The header with a token of the user. */
async function logIn({ send }: Subject, username: string): Promise<Record<string, string>> {
  const query = new URLSearchParams({ username, password })
  const reply = await send("GET", `/user/login?${query}`, { key: undefined })
  expectStatus(reply, 200)
  return { authorization: `Bearer ${jsonOf(reply)}` }
}

const xml = "application/xml"

/** The other operations of the public Petstore v3. */
export const classic: ConformChapter = {
  name: "Classic operations",
  tasks: [
    {
      name: "updates-with-a-form",
      expects: "POST /pet/{petId}?name=…&status=… changes these, and nothing else.",
      async examine(subject) {
        const pet = await addAnyPet(subject, { tags: [{ name: "calm" }] })
        expectStatus(await subject.send("POST", `/pet/${pet.id}?name=Max&status=sold`), 200)
        expectEqual(await readPet(subject, pet.id), { ...pet, name: "Max", status: "sold" }, "the pet")
      },
    },
    {
      name: "counts-the-inventory",
      expects: "GET /store/inventory has the number of pets by status; one more pet is one more.",
      async examine(subject) {
        const count = async () => {
          const reply = await subject.send("GET", "/store/inventory")
          expectStatus(reply, 200)
          return (jsonOf(reply) as Record<string, number>).pending ?? 0
        }
        const before = await count()
        await addAnyPet(subject, { status: "pending" })
        expectEqual(await count(), before + 1, "the number of pending pets")
      },
    },
    {
      name: "takes-an-order",
      expects: "POST /store/order is 200 with the order, which GET reads.",
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
      async examine(subject) {
        const { id } = await order(subject)
        expectStatus(await subject.send("DELETE", `/store/order/${id}`), 200)
        expectStatus(await subject.send("GET", `/store/order/${id}`), 404)
      },
    },
    {
      name: "unknown-orders-are-404",
      expects: "An order that does not exist is 404; one whose id is no number is 400.",
      async examine({ send }) {
        expectStatus(await send("GET", "/store/order/987654321"), 404)
        expectStatus(await send("DELETE", "/store/order/987654321"), 404)
        expectStatus(await send("GET", "/store/order/first"), 400)
      },
    },
    {
      name: "registers-and-reads-a-user",
      expects: "POST /user creates a user, whom GET reads, without a password.",
      async examine(subject) {
        const username = await register(subject)
        const reply = await subject.send("GET", `/user/${username}`)
        expectStatus(reply, 200)
        const user = jsonOf(reply)
        expectEqual([user.username, user.firstName], [username, "Ada"], "the user")
        expect(!reply.text.includes(password), "the response contains the password")
      },
    },
    {
      name: "registers-a-list",
      expects: "POST /user/createWithList creates each user of the list.",
      async examine(subject) {
        const users = ["a", "b"].map((start) => ({ username: unusedName(start), password }))
        expectStatus(await subject.send("POST", "/user/createWithList", { body: users }), 200)
        for (const { username } of users) expectStatus(await subject.send("GET", `/user/${username}`), 200)
      },
    },
    {
      name: "updates-a-user",
      expects: "PUT /user/{username} by the user is 200, and changes the record.",
      async examine(subject) {
        const username = await register(subject)
        const headers = await logIn(subject, username)
        const body = { username, firstName: "Grace" }
        expectStatus(await subject.send("PUT", `/user/${username}`, { key: undefined, headers, body }), 200)
        const { firstName } = jsonOf(await subject.send("GET", `/user/${username}`))
        expectEqual(firstName, "Grace", "firstName")
      },
    },
    {
      name: "deletes-a-user",
      expects: "DELETE /user/{username} is 200, and the user 404 from then on.",
      async examine(subject) {
        const username = await register(subject)
        expectStatus(await subject.send("DELETE", `/user/${username}`), 200, 204)
        expectStatus(await subject.send("GET", `/user/${username}`), 404)
      },
    },
    {
      name: "logs-in-and-out",
      expects:
        "GET /user/login has a token with X-Rate-Limit and X-Expires-After; a wrong password is 400; logout is 200.",
      async examine(subject) {
        const username = await register(subject)
        const reply = await subject.send("GET", `/user/login?${new URLSearchParams({ username, password })}`)
        expectStatus(reply, 200)
        for (const name of ["x-rate-limit", "x-expires-after"]) expect(reply.headers.has(name), `${name} is missing`)
        expectStatus(await subject.send("GET", `/user/login?username=${username}&password=wrong`), 400)
        const headers = await logIn(subject, username)
        expectStatus(await subject.send("GET", "/user/logout", { key: undefined, headers }), 200)
        expectStatus(await subject.send("GET", `/user/${username}`, { key: undefined, headers }), 401)
      },
    },
    {
      name: "responds-with-xml",
      expects: "A pet is XML with Accept: application/xml.",
      async examine(subject) {
        const { id } = await addAnyPet(subject, { name: "<Rex & Max>" })
        const reply = await subject.send("GET", `/pet/${id}`, { headers: { accept: xml } })
        expectStatus(reply, 200)
        expect(reply.headers.get("content-type")?.startsWith(xml) === true, "the media type is another")
        expect(/<[Pp]et>/.test(reply.text) && reply.text.includes("&lt;Rex &amp; Max"), `the body is ${reply.text}`)
      },
    },
    {
      name: "accepts-xml",
      expects: "POST /pet accepts a pet as XML.",
      async examine(subject) {
        const headers = { "content-type": xml }
        const body = "<pet><name>Rex</name><photoUrls><photoUrl>p</photoUrl></photoUrls><status>sold</status></pet>"
        const reply = await subject.send("POST", "/pet", { headers, body })
        expectStatus(reply, 200)
        const { name, status, photoUrls } = jsonOf(reply)
        expectEqual({ name, status, photoUrls }, { name: "Rex", status: "sold", photoUrls: ["p"] }, "the pet")
      },
    },
    {
      name: "reads-no-entities",
      expects: "XML that declares an entity is refused.",
      async examine({ send }) {
        const body = '<!DOCTYPE pet [<!ENTITY e SYSTEM "file:///etc/hostname">]><pet><name>&e;</name><photoUrls/></pet>'
        expectRefusal(await send("POST", "/pet", { headers: { "content-type": xml }, body }))
      },
    },
    {
      name: "accepts-a-form",
      expects: "POST /pet accepts a form.",
      async examine({ send }) {
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const reply = await send("POST", "/pet", { headers, body: "name=Rex&photoUrls=p&photoUrls=q&status=sold" })
        expectStatus(reply, 200)
        const { name, status, photoUrls } = jsonOf(reply)
        expectEqual({ name, status, photoUrls }, { name: "Rex", status: "sold", photoUrls: ["p", "q"] }, "the pet")
      },
    },
  ],
}
