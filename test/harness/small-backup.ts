import { hash } from "node:crypto"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openSealing } from "../../src/core/crypto/sealing-key.ts"
import { openDiskBlobs } from "../../src/core/disk/blobs.ts"
import { imagePath } from "../../src/core/domain/images/contract.ts"
import { sealedFor } from "../../src/core/domain/ports/sealing.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { describeDatabase } from "../../src/core/sqlite/description.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { bindBlobs } from "../../src/core/storage/blob-binding.ts"
import { openArchiveDirectory } from "../../src/parts/operator/archive/disk.ts"
import { type ListedFile, readFileList } from "../../src/parts/operator/archive/file-list.ts"
import { bytesOf, sumOfFile } from "../../src/parts/operator/archive/hash.ts"
import { formatManifest, type Manifest, parseManifest } from "../../src/parts/operator/archive/manifest.ts"
import { backUp } from "../../src/parts/operator/backup/back-up.ts"
import type { Installation } from "../../src/parts/operator/installation/installation.ts"

/** The installation whose data is in this directory. */
export const installationIn = (dataDir: string): Installation => ({
  dataDir,
  database: { kind: "sqlite", file: join(dataDir, "petstore.db") },
  images: { kind: "disk", directory: join(dataDir, "images") },
  redisUrl: undefined,
  secretKey: undefined,
  version: "1.2.3",
})

export type Progress = [what: string, done: number, total: number | undefined, unit: string]

/** Fills a data directory with a pet, sealed secrets and so many images, which the pet refers to. */
export async function makeInstallation(dataDir: string, imageCount: number): Promise<Installation> {
  const store = openSqlite(join(dataDir, "petstore.db"))
  const blobs = openDiskBlobs(join(dataDir, "images"))
  const sealing = await openSealing(store, { secretKey: undefined, dataDir })
  const sealed = sealing.seal("c2VjcmV0", sealedFor.webhookSecrets)
  const photoUrls: string[] = []
  for (let n = 0; n < imageCount; n++) {
    await using stage = await blobs.stage(n)
    const write = (part: string) => stage.write(part, once(`${part} ${n}`))
    const parts = { original: await write("original"), "320": await write("320"), "1280": await write("1280") }
    const blob = await blobs.keep(parts, n)
    const sha256 = hash("sha256", `original ${n}`)
    const bytes = { original: `original ${n}`.length, "320": `320 ${n}`.length, "1280": `1280 ${n}`.length }
    const image = { sha256, blob, type: "image/png", width: 1, height: 1, frames: 1, bytes } as const
    await store.transaction(async (tx) => {
      const account = (await tx.accounts.first()) ?? (await tx.accounts.add({ name: "a", plan: "free" }))
      await tx.images.add(image, account.id)
    })
    photoUrls.push(imagePath(sha256))
  }
  await store.transaction(async (tx) => {
    const { id } = (await tx.accounts.first()) ?? (await tx.accounts.add({ name: "a", plan: "free" }))
    await tx.pets.add([{ id: 1, name: "p", photoUrls, tags: [], status: "sold" }])
    await tx.webhooks.add(newWebhook({ url: "https://a.example/", events: ["*"] }, id, 0), sealed)
    await tx.signingKeys.add({ kid: "k", sealed: sealing.seal("{}", sealedFor.signingKeys), createdAt: 1 })
  })
  await bindBlobs(store, blobs, "here")
  await store.close()
  return installationIn(dataDir)
}

const once = async function* (text: string) {
  yield Buffer.from(text)
}

/** Backs an installation up to a new directory; returns the manifest and the reported progress. */
export async function makeBackup(installation: Installation, target: string) {
  const progress: Progress[] = []
  await using writer = await openArchiveDirectory(target)
  const manifest = await backUp(installation, writer, Date.UTC(2026, 0, 1), (...step) => void progress.push(step))
  return { manifest, progress }
}

export type Rewriting = {
  /** Changes the files of the copy. */
  change?: (copy: string) => void
  lines?: (all: ListedFile[]) => ListedFile[]
  manifest?: (made: Manifest) => Manifest
}

/** A copy of an archive with other files, whose list and manifest have the right sums. */
export async function rewrite(archive: string, copy: string, { change, lines, manifest }: Rewriting): Promise<void> {
  cpSync(archive, copy, { recursive: true })
  change?.(copy)
  const [listFile, manifestFile] = [join(copy, "files.ndjson"), join(copy, "manifest.json")]
  const listed = await Array.fromAsync(readFileList(bytesOf(readFileSync(listFile, "utf8"))))
  const sums = await Promise.all(
    (lines?.(listed) ?? listed).map(async ({ name }) => ({ name, ...(await sumOfFile(join(copy, name))) })),
  )
  const text = sums.map((file) => `${JSON.stringify(file)}\n`).join("")
  writeFileSync(listFile, text)
  const made = parseManifest(readFileSync(manifestFile, "utf8"))
  const files = { count: sums.length, bytes: Buffer.byteLength(text), sha256: hash("sha256", text) }
  const database = { kind: "sqlite" as const, ...describeDatabase(join(copy, "petstore.db")) }
  const rewritten = { ...made, database, files }
  writeFileSync(manifestFile, formatManifest(manifest?.(rewritten) ?? rewritten))
}
