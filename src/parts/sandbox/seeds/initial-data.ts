import type { PetDraft } from "../../../core/domain/pets/contract.ts"
import type { Sealing } from "../../../core/domain/ports/sealing.ts"
import type { SandboxData } from "../files/contract.ts"
import type { SandboxLocations } from "../files/write.ts"
import type { OwnSeed } from "./contract.ts"

/** What a sandbox contains at its first start and after a reset: a seed, the pets of a file, or all of a sandbox file. */
export type InitialData =
  | { kind: "seed"; seed: OwnSeed }
  | { kind: "pets"; drafts: readonly PetDraft[] }
  | {
      kind: "sandbox"
      clock: SandboxData["clock"]
      /** Under which its secrets are. */
      sealing: Sealing
      /** Where its rows and images are. */
      restored: SandboxLocations
    }
