import { moveSandboxTo } from "./address.ts"
import { docsClientId } from "./clients.ts"
import { fillSandbox, makeFirstKey } from "./first-start.ts"
import { sandboxKeys } from "./keys.ts"
import { sandboxReset } from "./reset.ts"
import { samplePeople } from "./users.ts"

/** The differences between the profiles. */
export const profiles = {
  sandbox: {
    ...{ isSandbox: true, hasKnownKeys: true },
    /** Public credentials, shown in documents and on pages. */
    ...{ knownKeys: sandboxKeys, docsClientId, samplePeople },
    fill: fillSandbox,
    reset: sandboxReset,
    moveTo: moveSandboxTo,
    whyNoNamedSandboxes: undefined,
  },
  production: {
    ...{ isSandbox: false, hasKnownKeys: false },
    ...{ knownKeys: [], docsClientId: undefined, samplePeople: [] },
    fill: makeFirstKey,
    reset: () => undefined,
    moveTo: async () => {},
    whyNoNamedSandboxes: "production has none",
  },
} as const
