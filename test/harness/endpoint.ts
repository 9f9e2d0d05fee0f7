import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { Type } from "../../src/core/kernel/schema/type.ts"

/** A GET without parameters, for any credential; tests change the parts that they are about. */
export const plainEndpoint = {
  method: "GET",
  path: "/pet",
  summary: "",
  tag: "pet",
  command: "pets list",
  scope: "any",
  response: Type.Object({}),
  status: 200,
  problems: [],
} satisfies Endpoint
