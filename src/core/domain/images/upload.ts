// Decision: docs/decisions/images.md#bytes-first-row-second

import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import type { Verb } from "../context.ts"
import { savePet } from "../pets/save-pet.ts"
import type { Decoded } from "../ports/decoder.ts"
import { imagePath, perPart, totalBytes } from "./contract.ts"
import { addImage, checkImageQuota } from "./rules.ts"

export const uploadFile: Verb<"uploadFile"> = async (ctx, { params, query, upload }) => {
  const { blobs, decoder, imageBytesMax } = ctx
  const { id: accountId, plan } = ctx.caller.account
  const requireFound = <Found>(found: Found | undefined): Found => found ?? ctx.refuse("pet-not-found")
  const requireQuota = (bytes: number, kept: number) =>
    ctx.accept(checkImageQuota(bytes, kept, imageBytesMax[plan], plan))

  // Refuse what can be refused before reading the body.
  requireFound(await ctx.store.pets.read(params.petId))
  requireQuota(1, await ctx.store.images.bytesOf(accountId))

  const { file, directory, fields } = await upload.receive()
  const { files, ...decoded }: Decoded = ctx.accept(await decoder.decode(file, directory, accountId))
  const image = { ...decoded, bytes: perPart((part) => files[part].bytes) }
  const url = ctx.publicUrl() + imagePath(image.sha256)
  const description = fields.additionalMetadata ?? query.additionalMetadata

  // Store the files first: if the process dies, no pet refers to a missing image.
  const now = ctx.clock.now()
  const blob = await blobs.keep(
    perPart((part) => files[part].path),
    now,
  )
  const isNew = await ctx.store.transaction(async (tx) => {
    const found = requireFound(await tx.pets.lock(params.petId))
    const { pet } = found
    const wanted = ctx.accept(addImage(pet, url))
    const added = await tx.images.add({ ...image, blob }, accountId)
    // Checked after adding, because concurrent uploads of the account are serialised by then.
    const bytes = totalBytes(image.bytes)
    if (added) requireQuota(bytes, (await tx.images.bytesOf(accountId)) - bytes)

    if (wanted !== pet) await savePet(ctx, tx, wanted, found)
    if (description !== undefined) await tx.images.describe(pet.id, image.sha256, description)
    return added
  })
  if (!isNew) await blobs.remove(blob)
  const stored = { code: 200, type: "success", message: `Image stored at ${url}` }
  return new JsonResponse(json(stored), { headers: { location: url } })
}
