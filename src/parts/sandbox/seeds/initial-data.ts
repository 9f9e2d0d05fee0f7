import type { ImagePart } from "../../../core/domain/images/contract.ts"
import type { PetDraft } from "../../../core/domain/pets/contract.ts"
import type { Sealing } from "../../../core/domain/ports/sealing.ts"
import type { TableRows } from "../../../core/domain/ports/store.ts"
import type { SandboxData } from "../files/contract.ts"
import type { OwnSeed } from "./contract.ts"

/** An image: its SHA-256 in hex, the key of its files, and their bytes. */
export type SandboxImage = { sha256: string; key: string; parts: Record<ImagePart, Buffer> }

/** What a sandbox contains at its first start and after a reset: a seed, the pets of a file, or all of a sandbox file. */
export type InitialData =
  | { kind: "seed"; seed: OwnSeed }
  | { kind: "pets"; drafts: readonly PetDraft[] }
  | {
      kind: "sandbox"
      clock: SandboxData["clock"]
      /** Under which its secrets are. */
      sealing: Sealing
      tables: readonly TableRows[]
      images: readonly SandboxImage[]
    }
