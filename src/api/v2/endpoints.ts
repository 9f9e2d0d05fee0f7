import { type ApiContract, classicOperations } from "../../domain/api.ts"
import type { AnyInput } from "../../domain/context.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { Acknowledgement } from "../../kernel/schema/schema.ts"
import { bodies } from "./pet-schemas.ts"

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

export function v2Operations(api: Record<string, Endpoint>): V2Operation[] {
  const all = classicOperations.map((name): V2Operation => {
    const messageOf = messages[name]
    const body = bodies[name]
    const response = messageOf && Acknowledgement
    const endpoint = { ...api[name], classicValues: true, ...(body && { body }), ...(response && { response }) }
    return { operationId: name, name, endpoint: endpoint as V2Operation["endpoint"], messageOf }
  })
  const list = all.find(({ name }) => name === "createUsersWithListInput") as V2Operation
  const array = { ...list.endpoint, path: "/user/createWithArray" } as const
  return [...all, { ...list, operationId: "createUsersWithArrayInput", endpoint: array }]
}
