import type { HttpResponse } from "../../../../core/kernel/network/http-response.ts"
import { jsonType } from "../../../../core/kernel/network/media-types.ts"
import type { defectIds } from "../contract.ts"
import {
  changeJson,
  changeReceived,
  changeResponse,
  type Defects,
  key,
  on,
  onProblem,
  receivedBody,
} from "../defect.ts"

const json = "-H 'content-type: application/json'"
const invalid = ["invalid-body", "invalid-parameter"]
const acknowledged = (message: string): HttpResponse => ({
  status: 200,
  headers: ["content-type", jsonType],
  body: JSON.stringify({ code: 200, type: "success", message }),
})

/** What is stored, and what is shown of it. */
export const stateDefects: Defects<(typeof defectIds.state)[number]> = {
  "update-drops-tags": {
    code: 117,
    wrong: "PUT of a pet stores it without its tags.",
    breaks: "PUT replaces the whole pet.",
    see: `${key} -X PUT $URL/api/v3/pet ${json} -d '{"id":1,"name":"Cat 1","photoUrls":[],"tags":[{"name":"shy"}]}'`,
    inside: {
      updatePet(exchange, next) {
        changeReceived(exchange, ({ tags: _, ...pet }) => pet)
        return next(exchange)
      },
    },
  },
  "patch-resets-status": {
    code: 119,
    wrong: "PATCH of a pet without a status makes it available.",
    breaks: "PATCH changes only what is given (RFC 7396).",
    see: `${key} -X PATCH $URL/api/v3/pet/3 ${json} -d '{"name":"Cat"}'`,
    inside: {
      patchPet(exchange, next) {
        changeReceived(exchange, (patch) => ({ status: "available", ...patch }))
        return next(exchange)
      },
    },
  },
  "delete-keeps-pet": {
    code: 113,
    wrong: "DELETE of a pet is 200, and the pet remains.",
    breaks: "What is deleted is 404 from then on.",
    see: `${key} -X DELETE $URL/api/v3/pet/1 && curl -i -H 'api_key: special-key' $URL/api/v3/pet/1`,
    inside: { deletePet: () => acknowledged("Pet deleted") },
  },
  "failed-creation-stays": {
    wrong: "A pet that is refused because a member is invalid is added without that member.",
    breaks: "A refused request changes nothing.",
    see: `${key} $URL/api/v3/pet ${json} -d '{"name":"Rex","photoUrls":[],"status":"lost"}' && curl -H 'api_key: special-key' "$URL/api/v3/pet?name=Rex"`,
    inside: {
      addPet: onProblem(invalid, async (exchange, next, refusal) => {
        changeReceived(exchange, ({ name }) => ({ name, photoUrls: [] }))
        await Promise.resolve(next(exchange)).catch(() => undefined)
        throw refusal
      }),
    },
  },
  "failed-update-changes": {
    code: 114,
    wrong: "A PATCH of a pet that is refused because a member is invalid changes the name nevertheless.",
    breaks: "A refused request changes nothing.",
    see: `${key} -X PATCH $URL/api/v3/pet/1 ${json} -d '{"name":"Changed","status":"lost"}' && curl -H 'api_key: special-key' $URL/api/v3/pet/1`,
    inside: {
      patchPet: onProblem(invalid, async (exchange, next, refusal) => {
        changeReceived(exchange, ({ name }) => ({ name }))
        await Promise.resolve(next(exchange)).catch(() => undefined)
        throw refusal
      }),
    },
  },
  "invalid-order-accepted": {
    code: 206,
    wrong: "An order with a quantity below 1 is accepted, for one pet.",
    breaks: "Input that breaks the schema is refused with every violation.",
    see: `${key} -i $URL/api/v3/store/order ${json} -d '{"petId":2,"quantity":-1}'`,
    inside: {
      placeOrder(exchange, next) {
        if (Number(receivedBody(exchange)?.quantity) < 1)
          changeReceived(exchange, (order) => ({ ...order, quantity: 1 }))
        return next(exchange)
      },
    },
  },
  "repeated-put-differs": {
    code: 118,
    wrong: "A pet that is sent with PUT again gets a number behind its name.",
    breaks: "PUT is idempotent (RFC 9110 section 9.2.2).",
    see: `${key} -X PUT $URL/api/v3/pet ${json} -d '{"id":1,"name":"Cat 1","photoUrls":[]}' # twice`,
    inside: {
      updatePet(exchange, next, memory) {
        const key = `put ${exchange.received}`
        const count = Number(memory.get(key) ?? 0) + 1
        memory.set(key, count)
        if (count > 1) changeReceived(exchange, (pet) => ({ ...pet, name: `${pet.name} (${count})` }))
        return next(exchange)
      },
    },
  },
  "lost-update": {
    wrong: "`If-Match` is ignored, so that of two changes of one version the earlier is lost.",
    breaks: "A change with `If-Match` of an earlier version is 412.",
    see: `${key} -i -X PATCH $URL/api/v3/pet/1 ${json} -H 'If-Match: "old"' -d '{"name":"Cat"}'`,
    seenWith: ["If-Match"],
    around: on(["updatePet", "patchPet", "deletePet"], (exchange, next) => {
      delete exchange.request.headers["if-match"]
      return next(exchange)
    }),
  },
  "key-of-repetition-ignored": {
    wrong: "`Idempotency-Key` is ignored, so that a repeated creation adds another one.",
    breaks: "Requests with the same `Idempotency-Key` have their effect once.",
    see: `${key} $URL/api/v3/pet ${json} -H 'Idempotency-Key: 1' -d '{"name":"Rex","photoUrls":[]}' # twice`,
    seenWith: ["Idempotency-Key"],
    around: on(["addPet", "placeOrder", "createUser"], (exchange, next) => {
      delete exchange.request.headers["idempotency-key"]
      return next(exchange)
    }),
  },
  "stale-read": {
    wrong: "The first read of a pet after a change shows it as it was read before.",
    breaks: "A read after a change shows the change.",
    see: `${key} $URL/api/v3/pet/1 && curl ${key} -X PATCH $URL/api/v3/pet/1 ${json} -d '{"name":"New"}' && curl ${key} $URL/api/v3/pet/1`,
    around: {
      async getPetById(exchange, next, memory) {
        const response = await next(exchange)
        const [key, text] = [`read ${exchange.path} ${exchange.isXml}`, response?.body]
        const before = memory.get(key)
        memory.set(key, text)
        return response && typeof before === "string" && before !== text ? { ...response, body: before } : response
      },
    },
  },
  "inventory-off-by-one": {
    wrong: "The inventory counts one available pet too many.",
    breaks: "The inventory is the number of pets by status.",
    see: `${key} $URL/api/v3/store/inventory`,
    around: {
      getInventory: changeJson(({ available, ...others }) => ({ available: Number(available) + 1, ...others })),
    },
  },
  "etag-never-changes": {
    wrong: "The `ETag` of every pet is the same.",
    breaks: "Another version has another `ETag` (RFC 9110 section 8.8.3).",
    see: `${key} -i $URL/api/v3/pet/1`,
    seenWith: ["ETag"],
    around: {
      getPetById: changeResponse((response) => ({
        ...response,
        headers: response.headers.map((text, n) => (response.headers[n - 1] === "etag" ? '"1"' : text)),
      })),
    },
  },
}
