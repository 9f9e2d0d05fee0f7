import type { AnyOperation } from "../../core/domain/context.ts"
import type { ProblemCode } from "../../core/domain/problems/problems.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../core/kernel/endpoint/json-response.ts"
import { andThen } from "../../core/kernel/flow/awaitable.ts"
import { fromJson, json } from "../../core/kernel/json/json.ts"
import { routePath, v2Path } from "../../core/kernel/network/path.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { HttpRoute } from "../../core/server/exchange/exchange.ts"
import type { Router } from "../../core/server/exchange/router.ts"
import { type V2Operation, v2Operations } from "./endpoints.ts"

export function addV2(
  router: Router,
  { api, operations }: { api: Record<string, Endpoint>; operations: Record<string, AnyOperation> },
  makeRoute: (name: string, endpoint: Endpoint, operation: AnyOperation) => HttpRoute,
): void {
  const { addPet, updatePet, ...others } = operations as Record<string, AnyOperation> & Record<Saving, AnyOperation>
  const asInV2: Record<string, AnyOperation> = {
    ...others,
    // The last one is for a pet that another request creates or deletes in between, as it may on PostgreSQL.
    addPet: orElse(addPet, "pet-exists", orElse(updatePet, "pet-not-found", addPet)),
    updatePet: orElse(updatePet, "pet-not-found", orElse(addPet, "pet-exists", updatePet)),
  }
  for (const { name, endpoint, messageOf } of v2Operations(api)) {
    const operation = asInV2[name] as AnyOperation
    const route = makeRoute(name, endpoint, messageOf ? acknowledge(operation, messageOf) : operation)
    router.add([endpoint.method], v2Path + routePath(endpoint.path), route)
  }
}

type Saving = "addPet" | "updatePet"

/** Runs the second operation when the first is refused with this problem: in v2 both create or replace. What must match is not created. */
const orElse =
  (first: AnyOperation, code: ProblemCode, second: AnyOperation): AnyOperation =>
  async (context, input) => {
    try {
      return await first(context, input)
    } catch (error) {
      const mayCreate = context.preconditions.ifMatch === undefined
      if (error instanceof Problem && error.code === code && mayCreate) return second(context, input)
      throw error
    }
  }

const acknowledge =
  (operation: AnyOperation, messageOf: NonNullable<V2Operation["messageOf"]>): AnyOperation =>
  (context, input) =>
    andThen(messageOf, operation(context, input), (_, result) => {
      const isText = result instanceof JsonResponse
      const message = messageOf((isText ? fromJson(result.json) : result) as never, input)
      return new JsonResponse(json({ code: 200, type: "unknown", message }), isText ? { headers: result.headers } : {})
    })
