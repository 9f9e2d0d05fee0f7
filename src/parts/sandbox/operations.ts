import type { VerbOf } from "../../core/domain/context.ts"
import { clockVerbs } from "./clock/clock-verbs.ts"
import type { sandbox } from "./contract.ts"
import type { Delays } from "./faults/delayed-responses.ts"
import { faultVerbs } from "./faults/fault-verbs.ts"
import type { FaultTarget } from "./faults/targets.ts"
import { holdVerbs } from "./holds/hold-verbs.ts"
import type { Holds } from "./holds/holds.ts"
import { requestVerbs } from "./journal/request-verbs.ts"
import type { SandboxParts } from "./model.ts"
import type { namedSandboxes } from "./named/contract.ts"
import { dataVerbs } from "./named/forks.ts"
import { namedSandboxVerbs } from "./named/sandbox-verbs.ts"
import type { Seed } from "./seeds/contract.ts"

type SandboxVerbs = { [Name in keyof typeof sandbox]: VerbOf<(typeof sandbox)[Name]> }
type NamedSandboxVerb = keyof typeof namedSandboxes

/** The operations that only a sandbox has, which the OpenAPI documents omit. `resetAlone` resets it once no operation is running. */
export const sandboxVerbs = (
  { time, forks, visible, journal, faults, holds }: SandboxParts & { holds: Holds },
  resetAlone: (seed: Seed) => Promise<void>,
  targets: ReadonlyMap<string, FaultTarget>,
  further: Pick<SandboxVerbs, "getDefects" | "setDefects" | "getExam" | "startExamTask">,
  waits: Pick<Delays, "enter" | "pause">,
): Omit<SandboxVerbs, NamedSandboxVerb> & Partial<SandboxVerbs> => ({
  ...(visible && namedSandboxVerbs(visible)),
  ...dataVerbs(resetAlone, forks),
  ...clockVerbs(time),
  ...requestVerbs(journal, waits),
  ...faultVerbs(faults, targets),
  ...holdVerbs(holds, waits),
  ...further,
})
