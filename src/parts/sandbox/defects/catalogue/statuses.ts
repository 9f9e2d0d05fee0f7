import type { HttpResponse } from "../../../../core/kernel/network/http-response.ts"
import { jsonType } from "../../../../core/kernel/network/media-types.ts"
import { Problem } from "../../../../core/kernel/problem.ts"
import type { defectIds } from "../contract.ts"
import { changeResponse, crash, type Defects, key, onProblem, receivedBody } from "../defect.ts"

const status = (status: number) => changeResponse((response) => ({ ...response, status }))
const declared = "A response has a status that its operation declares."
const noBug = "No input leads to 500."

const nameOf = (body: Record<string, unknown> | undefined): string => (typeof body?.name === "string" ? body.name : "")

/** Wrong statuses, and failures of the service. */
export const statusDefects: Defects<(typeof defectIds.statuses)[number]> = {
  "creation-is-201": {
    code: 200,
    wrong: "A pet that is added is 201.",
    breaks: declared,
    see: `${key} -i $URL/api/v3/pet -H 'content-type: application/json' -d '{"name":"Rex","photoUrls":[]}'`,
    around: { addPet: status(201) },
  },
  "absent-is-200": {
    code: 200,
    wrong: "A pet that does not exist is 200 with an empty object.",
    breaks: "What does not exist is 404.",
    see: `${key} -i $URL/api/v3/pet/999999`,
    around: {
      getPetById: onProblem(
        ["pet-not-found"],
        (): HttpResponse => ({ status: 200, headers: ["content-type", jsonType], body: "{}" }),
      ),
    },
  },
  "nothing-found-is-404": {
    wrong: "A search for a tag that no pet has is 404.",
    breaks: "A list without items is 200 and an empty array.",
    see: `${key} -i "$URL/api/v3/pet/findByTags?tags=none"`,
    around: {
      findPetsByTags: changeResponse((response) => {
        if (response.body !== "[]") return response
        throw new Problem("pet-not-found", "There is no pet with this tag")
      }),
    },
  },
  "reading-is-201": {
    code: 103,
    wrong: "The inventory is 201.",
    breaks: declared,
    see: `${key} -i $URL/api/v3/store/inventory`,
    around: { getInventory: status(201) },
  },
  "emoji-fails": {
    code: 100,
    wrong: "A pet whose name has a character beyond 16 bits is 500.",
    breaks: noBug,
    see: `${key} -i $URL/api/v3/pet -H 'content-type: application/json' -d '{"name":"Rex 🐕","photoUrls":[]}'`,
    inside: {
      addPet: (exchange, next) =>
        /[\u{10000}-\u{10FFFF}]/u.test(nameOf(receivedBody(exchange))) ? crash() : next(exchange),
    },
  },
  "long-text-fails": {
    code: 100,
    wrong: "A pet whose name has more than 128 characters is 500.",
    breaks: noBug,
    see: `${key} -i $URL/api/v3/pet -H 'content-type: application/json' -d "{\\"name\\":\\"$(printf 'a%.0s' $(seq 200))\\",\\"photoUrls\\":[]}"`,
    inside: { addPet: (exchange, next) => (nameOf(receivedBody(exchange)).length > 128 ? crash() : next(exchange)) },
  },
  "zero-fails": {
    code: 100,
    wrong: "The pet with id 0 is 500.",
    breaks: noBug,
    see: `${key} -i $URL/api/v3/pet/0`,
    around: { getPetById: (exchange, next) => (exchange.params.petId === "0" ? crash() : next(exchange)) },
  },
  "challenge-missing": {
    code: 109,
    wrong: "A 401 has no `WWW-Authenticate`.",
    breaks: "A 401 says how to authenticate (RFC 9110 section 15.5.2).",
    see: "-i $URL/api/v3/pet/1 -H 'api_key: wrong'",
    around: {
      any: onProblem(["unauthorized"], (_exchange, _next, { code, detail }) => {
        throw new Problem(code, detail)
      }),
    },
  },
  "location-leads-nowhere": {
    code: 120,
    wrong: "`Location` of a new webhook leads to a path that does not exist.",
    breaks: "`Location` of a 201 is the address of what was created.",
    see: `${key} -i $URL/api/v3/webhooks -H 'content-type: application/json' -d '{"url":"https://example.com/hook"}'`,
    around: {
      createWebhook: changeResponse((response) => ({
        ...response,
        headers: response.headers.map((text) => text.replace(/\/webhooks\/(\d+)$/, "/webhook/$1")),
      })),
    },
  },
}
