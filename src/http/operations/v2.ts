import type { AnyOperation } from "../../domain/context.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { fromJson, json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import { routePath, v2Path } from "../../kernel/network/path.ts"
import { Acknowledgement } from "../../kernel/schema/schema.ts"
import type { Route } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"

type Interface = { api: Record<string, Endpoint>; operations: Record<string, AnyOperation> }

/** The operations of the classic v2, most of them as they are; a function makes the message v2 acknowledges the others with. */
const v2: Record<string, "as it is" | ((value: never) => string)> = {
  addPet: "as it is",
  updatePet: "as it is",
  findPetsByStatus: "as it is",
  findPetsByTags: "as it is",
  getPetById: "as it is",
  updatePetWithForm: ({ id }: { id: number }) => String(id),
  deletePet: "as it is",
  uploadFile: "as it is",
  getInventory: "as it is",
  placeOrder: "as it is",
  getOrderById: "as it is",
  deleteOrder: "as it is",
  createUser: ({ id }: { id: number }) => String(id),
  createUsersWithListInput: () => "ok",
  loginUser: (token: string) => `logged in user session:${token}`,
  logoutUser: "as it is",
  getUserByName: "as it is",
  updateUser: ({ id }: { id: number }) => String(id),
  deleteUser: "as it is",
}

/** Paths that v2 has besides. */
const alsoAt: Record<string, string> = { createUsersWithListInput: "/user/createWithArray" }

/** Serves the paths of the classic v2 by the same operations. */
export function addV2(
  router: Router,
  { api, operations }: Interface,
  makeRoute: (name: string, endpoint: Endpoint, operation: AnyOperation) => Route,
): void {
  for (const [name, acknowledged] of Object.entries(v2)) {
    const [endpoint, operation] = [api[name] as Endpoint, operations[name] as AnyOperation]
    const route =
      acknowledged === "as it is"
        ? makeRoute(name, endpoint, operation)
        : makeRoute(name, { ...endpoint, answer: Acknowledgement }, acknowledge(operation, acknowledged))
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
