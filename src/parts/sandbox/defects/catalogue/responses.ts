import { Problem } from "../../../../core/kernel/problem.ts"
import type { defectIds } from "../contract.ts"
import { changeJson, changeResponse, type Defects, key, on, onProblem } from "../defect.ts"

const matches = "A response matches the schema of its operation."

/** Responses that contradict the description. */
export const responseDefects: Defects<(typeof defectIds.responses)[number]> = {
  "pet-without-name": {
    code: 200,
    wrong: "A pet that is read by its id has no `name`.",
    breaks: matches,
    see: `${key} $URL/api/v3/pet/1`,
    around: { getPetById: changeJson(({ name: _, ...pet }) => pet) },
  },
  "id-as-text": {
    code: 200,
    wrong: "The id of an order is a text.",
    breaks: matches,
    see: `${key} $URL/api/v3/store/order/1`,
    around: { getOrderById: changeJson((order) => ({ ...order, id: String(order.id) })) },
  },
  "unknown-status-word": {
    code: 200,
    wrong: "The status of a pet that is for sale is `AVAILABLE`.",
    breaks: matches,
    see: `${key} $URL/api/v3/pet/1`,
    around: {
      getPetById: changeJson((pet) => ({ ...pet, status: pet.status === "available" ? "AVAILABLE" : pet.status })),
    },
  },
  "json-as-plain-text": {
    code: 200,
    wrong: "The inventory is JSON with the media type `text/plain`.",
    breaks: "A response has a media type that its operation declares.",
    see: `${key} -i $URL/api/v3/store/inventory`,
    around: {
      getInventory: changeResponse((response) => ({
        ...response,
        headers: response.headers.map((text) => (text.startsWith("application/json") ? "text/plain" : text)),
      })),
    },
  },
  "null-member": {
    code: 200,
    wrong: "Fields that a user does not have are null instead of absent.",
    breaks: matches,
    see: `${key} $URL/api/v3/user/admin`,
    around: { getUserByName: changeJson((user) => ({ firstName: null, phone: null, ...user })) },
  },
  "ids-rounded": {
    wrong: "Ids have the precision of 32-bit floating point: 16777217 is stored, and 16777216 is shown.",
    breaks: "Ids have up to 53 bits, exactly.",
    see: `${key} $URL/api/v3/pet -H 'content-type: application/json' -d '{"id":16777217,"name":"Rex","photoUrls":[]}'`,
    around: on(
      ["addPet", "getPetById"],
      changeJson((pet) => ({ ...pet, id: Math.fround(Number(pet.id)) })),
    ),
  },
  "stack-trace": {
    code: 309,
    wrong: "The error of a pet that does not exist contains a stack trace.",
    breaks: "An error says what the client can do, and nothing of the inside.",
    see: `${key} $URL/api/v3/pet/999999`,
    around: {
      getPetById: onProblem(["pet-not-found"], (_exchange, _next, refusal) => {
        throw new Problem(refusal.code, `${refusal.stack}`)
      }),
    },
  },
}
