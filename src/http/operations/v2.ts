import type { AnyOperation } from "../../domain/context.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { fromJson, json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import { routePath, v2Path } from "../../kernel/network/path.ts"
import { Acknowledgement } from "../../kernel/schema/schema.ts"
import { classicOperations } from "../openapi/classic.ts"
import type { HttpRoute } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"

/** The operations whose result v2 replaces with a message. */
const acknowledged: Record<string, (value: never) => string> = {
  updatePetWithForm: ({ id }: { id: number }) => String(id),
  createUser: ({ id }: { id: number }) => String(id),
  createUsersWithListInput: () => "ok",
  loginUser: (token: string) => `logged in user session:${token}`,
  updateUser: ({ id }: { id: number }) => String(id),
}

/** Further paths in v2. */
const alsoAt: Record<string, string> = { createUsersWithListInput: "/user/createWithArray" }

/** Serves the paths of the classic v2 with the same operations. */
export function addV2(
  router: Router,
  { api, operations }: { api: Record<string, Endpoint>; operations: Record<string, AnyOperation> },
  makeRoute: (name: string, endpoint: Endpoint, operation: AnyOperation) => HttpRoute,
): void {
  for (const name of classicOperations) {
    const [endpoint, operation] = [api[name] as Endpoint, operations[name] as AnyOperation]
    const messageOf = acknowledged[name]
    const route = messageOf
      ? makeRoute(name, { ...endpoint, answer: Acknowledgement }, acknowledge(operation, messageOf))
      : makeRoute(name, endpoint, operation)
    for (const path of [endpoint.path, alsoAt[name] ?? endpoint.path])
      router.add([endpoint.method], v2Path + routePath(path), route)
  }
}

const acknowledge =
  (operation: AnyOperation, messageOf: (value: never) => string): AnyOperation =>
  (context, input) =>
    andThen(messageOf, operation(context, input), (_, result) => {
      const isText = result instanceof JsonResponse
      const message = messageOf((isText ? fromJson(result.json) : result) as never)
      return new JsonResponse(json({ code: 200, type: "unknown", message }), isText ? { headers: result.headers } : {})
    })
