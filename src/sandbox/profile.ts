import type { Profile } from "../domain/ports/origin.ts"
import type { Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import { moveSandboxTo } from "./address.ts"
import { docsClientId, sandboxHint } from "./clients.ts"
import { fillSandbox, makeFirstKey } from "./first-start.ts"
import { sandboxKeys } from "./keys.ts"
import { sandboxReset } from "./reset.ts"
import type { Seeds } from "./seeds.ts"
import { sampleStaff } from "./users.ts"

/** How a service of one profile differs from one of the other. */
const profiles = {
  sandbox: {
    /** Public credentials, which documents and pages show. */
    ...{ knownKeys: sandboxKeys, docsClientId, hint: sandboxHint, sampleStaff },
    reset: sandboxReset,
    moveTo: moveSandboxTo,
    whyNoNamedSandboxes: undefined,
  },
  production: {
    ...{ knownKeys: [], docsClientId: undefined, hint: undefined, sampleStaff: undefined },
    reset: () => undefined,
    moveTo: async () => {},
    whyNoNamedSandboxes: "production has none",
  },
} as const

export const profileOf = (profile: Profile) => ({
  ...{ isSandbox: profile === "sandbox", hasKnownKeys: profiles[profile].knownKeys.length > 0 },
  ...profiles[profile],
})

type Filling = { store: Store; seeds: Seeds; publicUrl: string; clock: Clock; keepKey(mint: () => string): string }

/**
 * Fills an empty store: a sandbox with its sample data, production with one account, whose first key it returns. Does nothing
 * from the second start on. Throws CannotStart when the data belong to the other profile.
 */
export async function fillStore(profile: Profile, filling: Filling): Promise<string | undefined> {
  const { store, seeds, publicUrl, clock, keepKey } = filling
  if (profile === "production") return makeFirstKey(store, clock, keepKey)
  await fillSandbox(store, seeds, publicUrl)
  return undefined
}
