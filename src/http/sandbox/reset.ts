import type { AnyOperation, VerbOf } from "../../domain/context.ts"
import { resetMessage, type Seed, sandbox } from "../../domain/sandbox/contract.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath } from "../../kernel/network/path.ts"
import type { HttpRoute } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"

/** Serves the reset of a sandbox, which the OpenAPI documents omit. */
export function addReset(
  router: Router,
  makeRoute: (name: string, endpoint: Endpoint, operation: AnyOperation) => HttpRoute,
  reset: (seed: Seed) => Promise<void>,
): void {
  const endpoint = sandbox.resetSandbox
  const operation: VerbOf<typeof endpoint> = async (_context, { query: { seed } }) => {
    await reset(seed)
    return { code: 200, type: "success", message: resetMessage(seed) }
  }
  const route = makeRoute("resetSandbox", endpoint, operation)
  router.add([endpoint.method], basePath + endpoint.path, route)
}
