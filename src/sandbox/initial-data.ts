import type { ImagePart } from "../domain/images/contract.ts"
import type { PetDraft } from "../domain/pets/contract.ts"
import type { Sealing } from "../domain/ports/sealing.ts"
import type { TableRows } from "../domain/ports/store.ts"
import type { SandboxData } from "../domain/sandbox/file/contract.ts"
import type { OwnSeed } from "../domain/sandbox/start/contract.ts"

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
