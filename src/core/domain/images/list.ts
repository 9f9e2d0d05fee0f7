import { fromJson } from "../../kernel/json/json.ts"
import type { Verb } from "../context.ts"
import { imageHashIn, imagePath, imageSizes } from "./contract.ts"

export const listPetImages: Verb<"listPetImages"> = async (ctx, { params }) => {
  const found = (await ctx.store.pets.read(params.petId)) ?? ctx.refuse("pet-not-found")
  const order = fromJson(found.json).photoUrls.map(imageHashIn)
  const kept = await ctx.store.images.ofPet(params.petId)

  return kept
    .toSorted((a, b) => order.indexOf(a.image.sha256) - order.indexOf(b.image.sha256))
    .map(({ image: { sha256, type, width, height, frames, bytes }, description }) => ({
      sha256,
      url: ctx.publicUrl() + imagePath(sha256),
      type,
      width,
      height,
      frames,
      bytes: bytes.original,
      ...(description !== undefined && { description }),
      sizes: imageSizes.map((edge) => ({ edge, url: ctx.publicUrl() + imagePath(sha256, `${edge}`) })),
    }))
}
