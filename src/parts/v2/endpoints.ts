import { type ApiContract, classicOperations } from "../../core/domain/api.ts"
import type { AnyInput } from "../../core/domain/context.ts"
import type { ProblemCode } from "../../core/domain/problems/problems.ts"
import type { Scope } from "../../core/domain/scopes.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../core/kernel/flow/once-for-each.ts"
import { Acknowledgement } from "../../core/kernel/schema/schema.ts"
import { bodies, inV2 } from "./schemas.ts"

/** The message of an acknowledgement. */
type MessageOf = (result: never, input: AnyInput) => string

type Identified = { id: number }

/** The operations whose result v2 replaces with a message. */
const messages: Record<string, MessageOf> = {
  updatePetWithForm: ({ id }: Identified) => String(id),
  deletePet: (_, { params }) => String((params as { petId: number }).petId),
  uploadFile: ({ message }: { message: string }) => message,
  deleteOrder: (_, { params }) => String((params as { orderId: number }).orderId),
  createUser: ({ id }: Identified) => String(id),
  createUsersWithListInput: () => "ok",
  loginUser: (token: string) => `logged in user session:${token}`,
  logoutUser: () => "ok",
  updateUser: ({ id }: Identified) => String(id),
  deleteUser: (_, { params }) => (params as { username: string }).username,
}

/** An operation of v2: one of v3, with the endpoint as v2 serves it. */
export type V2Operation = {
  operationId: string
  /** The operation of v3. */
  name: keyof ApiContract
  endpoint: Endpoint<Scope, ProblemCode>
  messageOf: MessageOf | undefined
}

/** Descriptions of operations that do something else in v2. */
const descriptions: Record<string, string> = {
  addPet:
    "Without an id, or with id 0, the pet gets a new one; an existing pet is replaced. `status` defaults to `available`.",
  updatePet:
    "An omitted category or tags is cleared; an omitted name or status is kept. With an unknown id, the pet is created.",
  placeOrder:
    "The order may be for any pet. An available pet becomes pending; an order for another one, or for a pet that does not exist, " +
    "changes no pet. The new order is `placed`; `status` and `complete` in the body are ignored.",
  updateUser:
    "An omitted username or password is kept, every other omitted field is cleared; an id is ignored. For staff, an unknown user is " +
    "created with the name in the path, and the password of a customer or of staff is set.",
}

export const v2Operations = onceForEach((api: Record<string, Endpoint>): V2Operation[] => {
  const all = classicOperations.map((name): V2Operation => {
    const v3 = api[name] as Endpoint
    const messageOf = messages[name]
    const body = bodies[name] ?? v3.body
    const description = descriptions[name] ?? v3.description
    const endpoint = {
      ...v3,
      classicValues: true,
      ...(description && { description }),
      ...(v3.query && { query: inV2(v3.query) }),
      ...(body && { body: inV2(body) }),
      response: messageOf ? Acknowledgement : inV2(v3.response),
    }
    return { operationId: name, name, endpoint: endpoint as V2Operation["endpoint"], messageOf }
  })
  const list = all.find(({ name }) => name === "createUsersWithListInput") as V2Operation
  const array = { ...list.endpoint, path: "/user/createWithArray" } as const
  return [...all, { ...list, operationId: "createUsersWithArrayInput", endpoint: array }]
})

/** The paths of v2, by the name of the operation. */
export const pathsOfV2 = (api: Record<string, Endpoint>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(v2Operations(api), ({ name }): string => name)].map(([name, operations]) => [
      name,
      operations.map(({ endpoint }) => endpoint.path),
    ]),
  )
