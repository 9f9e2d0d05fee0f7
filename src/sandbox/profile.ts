import { moveSandboxTo } from "./address.ts"
import { docsClientId, sandboxHint } from "./clients.ts"
import { fillSandbox, makeFirstKey } from "./first-start.ts"
import { sandboxKeys } from "./keys.ts"
import { sandboxReset } from "./reset.ts"
import { sampleStaff } from "./users.ts"

/** The differences between the profiles. */
export const profiles = {
  sandbox: {
    ...{ isSandbox: true, hasKnownKeys: true },
    /** Public credentials, shown in documents and on pages. */
    ...{ knownKeys: sandboxKeys, docsClientId, hint: sandboxHint, sampleStaff },
    fill: fillSandbox,
    reset: sandboxReset,
    moveTo: moveSandboxTo,
    whyNoNamedSandboxes: undefined,
  },
  production: {
    ...{ isSandbox: false, hasKnownKeys: false },
    ...{ knownKeys: [], docsClientId: undefined, hint: undefined, sampleStaff: undefined },
    fill: makeFirstKey,
    reset: () => undefined,
    moveTo: async () => {},
    whyNoNamedSandboxes: "production has none",
  },
} as const
