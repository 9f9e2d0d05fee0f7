import type { SandboxParts } from "../domain/sandbox/model.ts"
import { moveSandboxTo } from "./address.ts"
import { docsClientId } from "./clients.ts"
import { fillSandbox, makeFirstKey } from "./first-start.ts"
import { sandboxKeys } from "./keys.ts"
import { type ResetDeps, sandboxReset } from "./reset.ts"
import { samplePeople } from "./users.ts"

type SandboxDeps = ResetDeps & Pick<SandboxParts, "forks" | "faults" | "defects">
type OwnParts = Omit<SandboxParts, "house">

export const profiles = {
  sandbox: {
    isSandbox: true,
    hasKnownKeys: true,
    /** Public credentials, shown in documents and on pages. */
    knownKeys: sandboxKeys,
    docsClientId,
    samplePeople,
    fill: fillSandbox,
    sandbox: ({ forks, faults, defects, ...deps }: SandboxDeps): OwnParts => ({
      time: deps.time,
      journal: deps.journal,
      forks,
      faults,
      defects,
      reset: sandboxReset(deps),
      prepareReset: deps.seeds,
    }),
    moveTo: moveSandboxTo,
    noSandboxesReason: undefined,
  },
  production: {
    isSandbox: false,
    hasKnownKeys: false,
    knownKeys: [],
    docsClientId: undefined,
    samplePeople: [],
    fill: makeFirstKey,
    sandbox: () => undefined,
    moveTo: async () => {},
    noSandboxesReason: "production has none",
  },
} as const
