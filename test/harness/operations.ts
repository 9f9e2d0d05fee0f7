import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { v2Operations } from "../../src/parts/v2/endpoints.ts"

export { exampleOf } from "../../src/parts/descriptions/openapi/example.ts"

/** Operations besides those of the API. */
export const furtherOperations: Readonly<Record<string, Endpoint>> = sandbox

/** Every operation of a service with all parts, and the base path at which it is; the sandbox's last, because their examples make others fail. */
export const everyOperation: readonly { base: string; name: string; endpoint: Endpoint }[] = [
  ...belowV3(api),
  ...v2Operations(api).map(({ operationId, endpoint }) => ({ base: "/v2", name: operationId, endpoint })),
  ...belowV3(furtherOperations),
]

function belowV3(operations: Readonly<Record<string, Endpoint>>) {
  return Object.entries(operations).map(([name, endpoint]) => ({ base: "/api/v3", name, endpoint }))
}
