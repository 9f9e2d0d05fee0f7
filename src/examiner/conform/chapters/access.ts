import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import {
  addPetFirst,
  claim,
  expectEqual,
  expectStatus,
  jsonOf,
  newPet,
  readPet,
  type Subject,
  unusedId,
} from "../subject.ts"
import { logInFirst, registerFirst } from "../users.ts"

/** The key that may only read pets: the one that was given, or a new one where the service has them. */
async function findReaderKey({ readerKey, send }: Subject): Promise<string> {
  if (readerKey !== undefined) return readerKey
  const reply = await send("POST", "/keys", { body: { name: "conform", scopes: ["read:pets"] } })
  claim(reply.status === 200 || reply.status === 201, "there is no key that may only read")
  return jsonOf(reply).secret
}

/** An order of a user, as the credential of another one sees it; claimed where orders need a credential. */
async function orderAsOther(subject: Subject) {
  const { id: petId } = await addPetFirst(subject)
  const [owner, other] = [await registerFirst(subject), await registerFirst(subject)]
  const credential = await logInFirst(subject, owner)
  const placed = await subject.send("POST", "/store/order", { ...credential, body: { id: unusedId(), petId } })
  claim(placed.status === 200, "a user cannot order a pet")
  const path = `/store/order/${jsonOf(placed).id}`
  claim((await subject.send("GET", path, credential)).status === 200, "a user cannot read an order")
  claim((await subject.send("GET", path, { key: undefined })).status === 401, "orders need no credential")
  return { path, placed: jsonOf(placed), other: await logInFirst(subject, other) }
}

/** Who may do what. */
export const access: ConformChapter = {
  name: "Access",
  tasks: [
    {
      name: "needs-a-credential",
      expects: "A request without a credential, or with an unknown one, is 401, and changes nothing.",
      source: "ours",
      async examine(subject) {
        const pet = await addPetFirst(subject)
        const { id } = pet
        const requests: [method: string, path: string, body?: object][] = [
          ["GET", `/pet/${id}`],
          ["GET", "/pet/findByStatus?status=sold"],
          ["POST", "/pet", newPet()],
          ["PUT", "/pet", { id, name: "Max", photoUrls: [] }],
          ["POST", `/pet/${id}?name=Max`],
          ["GET", "/store/inventory"],
          ["POST", "/store/order", { id: unusedId(), petId: id }],
          ["DELETE", `/pet/${id}`],
        ]
        for (const [method, path, body] of requests)
          expectStatus(await subject.send(method, path, { key: undefined, ...(body && { body }) }), 401)
        for (const key of ["", "unknown"]) expectStatus(await subject.send("GET", `/pet/${id}`, { key }), 401)
        const headers = { authorization: "Bearer unknown" }
        expectStatus(await subject.send("GET", `/pet/${id}`, { key: undefined, headers }), 401)
        expectEqual(await readPet(subject, id), pet, "the pet")
      },
    },
    {
      name: "needs-the-scope",
      expects: "DELETE of a pet with a key that may only read is 403, and the pet remains.",
      source: "ours",
      async examine(subject) {
        const { id } = await addPetFirst(subject)
        const key = await findReaderKey(subject)
        claim((await subject.send("GET", `/pet/${id}`, { key })).status === 200, "the key that may only read cannot")
        expectStatus(await subject.send("DELETE", `/pet/${id}`, { key }), 403)
        expectStatus(await subject.send("GET", `/pet/${id}`), 200)
      },
    },
    {
      name: "hides-orders-of-others",
      expects: "GET of the order of another user is 404, like one that does not exist.",
      source: "ours",
      async examine(subject) {
        const { path, other } = await orderAsOther(subject)
        expectStatus(await subject.send("GET", path, other), 404)
        expectStatus(await subject.send("GET", `/store/order/${unusedId()}`, other), 404)
      },
    },
    {
      name: "keeps-orders-of-others",
      expects: "DELETE of the order of another user is refused, and the order remains.",
      source: "ours",
      async examine(subject) {
        const { path, placed, other } = await orderAsOther(subject)
        const { status } = await subject.send("DELETE", path, other)
        expect(status === 403 || status === 404, `DELETE ${path} was ${status} instead of 403 or 404`)
        expectEqual(jsonOf(await subject.send("GET", path)), placed, "the order")
      },
    },
  ],
}
