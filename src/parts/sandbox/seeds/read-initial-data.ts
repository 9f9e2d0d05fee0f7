import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { aesSealing } from "../../../core/crypto/aes-gcm.ts"
import type { PetDraft } from "../../../core/domain/pets/contract.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { Problem, sentence } from "../../../core/kernel/problem.ts"
import { checkOf } from "../../../core/kernel/schema/check.ts"
import { limited } from "../../../core/server/reading/body.ts"
import { parseText } from "../../../core/server/reading/json-text.ts"
import { readPetFile } from "../../../pet-files/read-pet-file.ts"
import { SandboxData, sandboxFileBytesMax } from "../files/contract.ts"
import { restoreSandbox } from "../files/restore.ts"
import type { SandboxLocations } from "../files/write.ts"
import type { OwnSeed } from "./contract.ts"
import type { InitialData } from "./initial-data.ts"

/** Pets are kept in memory for resets. */
const petsMax = 100_000

/** Reads the file that a setting names, unless it names a seed; a sandbox file is restored there. Throws CannotStart with what is wrong, and in which line. */
export async function readInitialData(
  setting: { seed: OwnSeed } | { file: string },
  restoredTo: () => SandboxLocations,
): Promise<InitialData> {
  if ("seed" in setting) return { kind: "seed", seed: setting.seed }
  const { file } = setting
  try {
    return (await isSandboxFile(file))
      ? await readSandboxFile(file, restoredTo())
      : { kind: "pets", drafts: await readPets(file) }
  } catch (error) {
    if (error instanceof CannotStart) throw error
    const { message, code } = error as NodeJS.ErrnoException
    const reason = systemReasons[code ?? ""] ?? (error instanceof Problem ? error.detail : message)
    throw new CannotStart(`PETSTORE_SEED: ${file} cannot be read: ${reason}`, { cause: error })
  }
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "it may not be read",
}

/** The first characters of a sandbox file, with which none of pets begins. */
const start = /^\s*\{\s*"data"\s*:\s*\{\s*"format"\s*:\s*"petstore-sandbox"/

async function isSandboxFile(file: string): Promise<boolean> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
  return start.test(buffer.toString("utf8", 0, bytesRead))
}

async function readSandboxFile(file: string, restored: SandboxLocations): Promise<InitialData> {
  const text = limited(createReadStream(file), sandboxFileBytesMax)
  const { rest } = await restoreSandbox(text, restBytesMax, async () => restored)
  const { data } = parseText(rest, "file") as { data: SandboxData }
  const violations = checkOf(SandboxData)(data)
  if (violations.length > 0) throw new Error(sentence(violations))
  const sealing = aesSealing(Buffer.from(data.sealingKey, "base64"))
  return { kind: "sandbox", clock: data.clock, sealing, restored }
}

/** Of a sandbox file without rows and images. */
const restBytesMax = 256 * 1024

async function readPets(file: string): Promise<PetDraft[]> {
  const { lines } = await readPetFile(createReadStream(file), petsMax, {})
  const drafts: PetDraft[] = []
  const lineOf = new Map<number, number>()
  for await (const { line, ...read } of lines) {
    const refuse = (detail: string) => new CannotStart(`PETSTORE_SEED: ${file}, line ${line.number}: ${detail}`)
    if ("rejection" in read) throw refuse(read.rejection.detail)
    const { id } = read.draft
    const earlier = id ? lineOf.get(id) : undefined
    if (earlier !== undefined) throw refuse(`The id ${id} is that of line ${earlier} too`)
    if (id) lineOf.set(id, line.number)
    drafts.push(read.draft)
  }
  if (drafts.length === 0)
    throw new CannotStart(`PETSTORE_SEED: ${file} contains no pets; PETSTORE_SEED=empty starts without pets`)
  return drafts
}
