import type { Static } from "typebox"
import { endpointsWith } from "../../../core/domain/endpoint.ts"
import { Id, object, time } from "../../../core/kernel/schema/schema.ts"
import { Type } from "../../../core/kernel/schema/type.ts"
import { Duration } from "../clock/contract.ts"

/** Requests that one sandbox holds at once. */
export const heldMax = 100

const HeldRequest = object("HeldRequest", {
  id: { ...Id, description: "The id that the journal has for it, too, once it has ended" },
  requestId: Type.String({ description: "The value of `X-Request-Id`" }),
  operation: Type.Optional(Type.String({ description: "The operationId" })),
  method: Type.String(),
  path: Type.String({ description: "With the query, without the base path of the sandbox" }),
  caller: Type.Optional(Type.String({ description: "The credential and its id, such as `key 3`" })),
  where: Type.Enum(["before", "after"], {
    description: "`before`: nothing has been carried out. `after`: the operation has been, and its response is held",
  }),
  since: time("Since when it is held, in real time"),
  until: time("When it continues by itself, in real time"),
})
/** A request that a fault holds. */
export type HeldRequest = Static<typeof HeldRequest>

const endpoint = endpointsWith({ tag: "sandbox", scope: "admin", cost: 0 })

export const holds = {
  listHolds: endpoint("GET", "/sandbox/holds", {
    summary: "List the requests that are held",
    description:
      "The requests that `fault=hold` and `fault=hold-response` hold, longest first. Each continues when it is released, or after 30 seconds.",
    command: "sandbox holds",
    waits: true,
    knownQuery: true,
    query: Type.Object({
      within: Type.Optional(
        Duration("Waits until a request is held, at most so long, up to PT30S, in real time", "PT5S"),
      ),
      atLeast: Type.Optional(
        Type.Integer({ minimum: 1, maximum: heldMax, description: "With `within`: waits until so many are held" }),
      ),
    }),
    response: Type.Array(HeldRequest),
  }),

  releaseHold: endpoint("POST", "/sandbox/holds/{id}/release", {
    summary: "Release a request that is held",
    command: "sandbox release",
    problems: ["hold-not-found"],
  }),
}
