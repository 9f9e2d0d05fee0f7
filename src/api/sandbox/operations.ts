import type { VerbOf } from "../../domain/context.ts"
import type { Seed, sandbox } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import type { FaultTarget } from "../faults/targets.ts"
import { clockVerbs } from "./clock.ts"
import { faultVerbs } from "./faults.ts"
import { dataVerbs } from "./forks.ts"
import { requestVerbs } from "./requests.ts"

type SandboxDeps = Omit<SandboxParts, "reset"> & {
  /** Resets the sandbox once no operation is running. */
  resetAlone(seed: Seed): Promise<void>
  targets: ReadonlyMap<string, FaultTarget>
}

type SandboxVerbs = { [Name in keyof typeof sandbox]: VerbOf<(typeof sandbox)[Name]> }

/** The operations that only a sandbox has, which the OpenAPI documents omit. */
export const sandboxVerbs = ({ resetAlone, time, forks, journal, faults, targets }: SandboxDeps): SandboxVerbs => ({
  ...dataVerbs(resetAlone, forks),
  ...clockVerbs(time),
  ...requestVerbs(journal),
  ...faultVerbs(faults, targets),
})
