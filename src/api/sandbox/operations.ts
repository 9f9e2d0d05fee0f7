import type { VerbOf } from "../../domain/context.ts"
import type { sandbox } from "../../domain/sandbox/contract.ts"
import type { SandboxParts } from "../../domain/sandbox/model.ts"
import type { namedSandboxes } from "../../domain/sandbox/named/contract.ts"
import type { Seed } from "../../domain/sandbox/start/contract.ts"
import type { FaultTarget } from "../faults/targets.ts"
import { clockVerbs } from "./clock.ts"
import { faultVerbs } from "./faults.ts"
import { dataVerbs } from "./forks.ts"
import { requestVerbs } from "./requests.ts"
import { houseVerbs } from "./sandboxes.ts"

type SandboxDeps = Omit<SandboxParts, "reset" | "defects"> & {
  /** Resets the sandbox once no operation is running. */
  resetAlone(seed: Seed): Promise<void>
  targets: ReadonlyMap<string, FaultTarget>
  defectVerbs: Pick<SandboxVerbs, "getDefects" | "setDefects">
}

type SandboxVerbs = { [Name in keyof typeof sandbox]: VerbOf<(typeof sandbox)[Name]> }
type HouseName = keyof typeof namedSandboxes

/** The operations that only a sandbox has, which the OpenAPI documents omit. */
export const sandboxVerbs = ({
  resetAlone,
  time,
  forks,
  house,
  journal,
  faults,
  targets,
  defectVerbs,
}: SandboxDeps): Omit<SandboxVerbs, HouseName> & Partial<SandboxVerbs> => ({
  ...(house && houseVerbs(house)),
  ...dataVerbs(resetAlone, forks),
  ...clockVerbs(time),
  ...requestVerbs(journal),
  ...faultVerbs(faults, targets),
  ...defectVerbs,
})
