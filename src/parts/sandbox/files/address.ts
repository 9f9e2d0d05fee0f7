import { setImmediate as nextTurn } from "node:timers/promises"
import { imageHashIn, imagesPath } from "../../../core/domain/images/contract.ts"
import { type Pet, PetStatus } from "../../../core/domain/pets/contract.ts"
import { type Repositories, type Store, unlessDamaged } from "../../../core/domain/ports/store.ts"
import type { Cursor } from "../../../core/kernel/endpoint/page.ts"
import { idOfAnimal } from "../seeds/animals.ts"
import { pointDocsClientAt } from "../seeds/clients.ts"
import { samplePictureHashes } from "../seeds/sample-images.ts"
import { animalsMax } from "../seeds/seeds.ts"

/**
 * Updates the sandbox to the service's current address at a start: the photo URLs of seeded pets, which are stored absolute so
 * that a read need not compose them, and the client of the reference. Emits no events, and keeps what clients wrote, except
 * links to a sample image at the old address in pets with seeded ids.
 */
export async function moveSandboxTo(store: Store, publicUrl: string): Promise<void> {
  const before = await store.origin.publicUrl()
  if (before === neutralUrl) return moveCopyTo(store, publicUrl)
  const pictures = before !== publicUrl ? await samplePictureHashes() : undefined
  await store.transaction(async (tx) => {
    if (pictures) await movePhotos(tx, publicUrl, pictures)
    await pointDocsClientAt(tx, publicUrl)
  })
}

/** The address that URLs of a sandbox have in a file, so that it depends on neither service nor name. */
export const neutralUrl = "https://sandbox.invalid"

/** Pets may be large, and a page is made at once. */
const [petsAtFirst, petsAtOnce, lengthAtOnce] = [10, 100, 512 * 1024]

/**
 * Updates a new copy of a sandbox, before its first request, to its own address: all photo URLs below that of the original, and
 * the client of the reference. Emits no events.
 */
export async function moveCopyTo(store: Store, publicUrl: string): Promise<void> {
  const before = await store.origin.publicUrl()
  if (before === publicUrl) return
  const [from, to] = [before, publicUrl].map((base) => `${base}${imagesPath}/`) as [string, string]
  const move = (url: string): string => (url.startsWith(from) ? to + url.slice(from.length) : url)
  let limit = petsAtFirst
  for (let cursor: Cursor | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
    const page = await store.pets.list({ statuses: PetStatus.enum, sort: "id" }, { limit, cursor })
    limit = Math.max(1, Math.min(petsAtOnce, Math.floor((limit * lengthAtOnce) / page.json.length)))
    const ids = page.json.includes(`"${from}`) ? (JSON.parse(page.json) as Pet[]).map(({ id }) => id) : []
    await store.transaction((tx) => Promise.all(ids.map((id) => movePhotosOf(tx, id, move))))
    await nextTurn()
    cursor = page.next
  }
  await store.transaction(async (tx) => {
    await tx.origin.lock()
    await tx.origin.putPublicUrl(publicUrl)
    await pointDocsClientAt(tx, publicUrl)
  })
}

async function movePhotos(tx: Repositories, publicUrl: string, pictures: ReadonlySet<string>): Promise<void> {
  await tx.origin.lock()
  const bases = ["", await tx.origin.publicUrl()]
  const move = (url: string): string => {
    const sha256 = imageHashIn(url)
    if (sha256 === undefined || !pictures.has(sha256)) return url
    const path = url.slice(url.lastIndexOf(`${imagesPath}/`))
    return bases.includes(url.slice(0, -path.length)) ? publicUrl + path : url
  }
  // In a sandbox of an earlier version, the ids of a seed have no gap.
  const ids = new Set(Array.from({ length: animalsMax }, (_, n) => [idOfAnimal(n), n + 1]).flat())
  await Promise.all([...ids].map((id) => movePhotosOf(tx, id, move)))
  await tx.origin.putPublicUrl(publicUrl)
}

async function movePhotosOf(tx: Repositories, id: number, move: (url: string) => string): Promise<void> {
  const pet = (await tx.pets.lock(id).catch(unlessDamaged))?.pet
  const photoUrls = pet?.photoUrls.map(move)
  if (pet && photoUrls?.some((url, n) => url !== pet.photoUrls[n])) await tx.pets.put({ ...pet, photoUrls }, pet)
}
