import type { AnyOperation, VerbOf } from "../../domain/context.ts"
import { type Seed, sandbox } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath } from "../../kernel/network/path.ts"
import type { HttpRoute } from "../pipeline/exchange.ts"
import type { Router } from "../pipeline/router.ts"
import { clockVerbs } from "./clock.ts"
import { dataVerbs } from "./forks.ts"

type SandboxOperations = Omit<SandboxParts, "reset"> & {
  /** Resets the sandbox once no operation is running. */
  resetAlone(seed: Seed): Promise<void>
}

type SandboxVerbs = { [Name in keyof typeof sandbox]: VerbOf<(typeof sandbox)[Name]> }

/** Serves the operations that only a sandbox has, which the OpenAPI documents omit. */
export function addSandboxOperations(
  router: Router,
  makeRoute: (name: string, endpoint: Endpoint, operation: AnyOperation) => HttpRoute,
  { resetAlone, time, forks }: SandboxOperations,
): void {
  const verbs: SandboxVerbs = {
    ...dataVerbs(resetAlone, forks),
    ...clockVerbs(time),
  }
  for (const [name, endpoint] of Object.entries(sandbox))
    router.add(
      [endpoint.method],
      basePath + endpoint.path,
      makeRoute(name, endpoint, verbs[name as keyof SandboxVerbs] as AnyOperation),
    )
}
