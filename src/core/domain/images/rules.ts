import { problem } from "../../kernel/problem.ts"
import type { Plan } from "../accounts/contract.ts"
import type { Pet } from "../pets/contract.ts"
import { imageHashIn } from "./contract.ts"

const imagesMax = 50
const mebibyte = 1024 * 1024

/** Returns the pet unchanged when it already has the image. */
export function addImage(pet: Pet, url: string) {
  const sha256 = imageHashIn(url)
  if (pet.photoUrls.some((known) => imageHashIn(known) === sha256)) return pet
  if (pet.photoUrls.length >= imagesMax)
    return problem("too-many-photos", `${pet.name} already has ${imagesMax} images; remove one first`)
  return { ...pet, photoUrls: [...pet.photoUrls, url] }
}

export function removeImage(pet: Pet, sha256: string) {
  const photoUrls = pet.photoUrls.filter((url) => imageHashIn(url) !== sha256)
  if (photoUrls.length === pet.photoUrls.length) return problem("image-not-found", "Image not found")
  return { ...pet, photoUrls }
}

/** Refuses an image that exceeds the account's storage quota. */
export function checkImageQuota(bytes: number, kept: number, quotaBytes: number, plan: Plan) {
  if (kept + bytes <= quotaBytes) return true
  const inMebibytes = (count: number) => Math.ceil(count / mebibyte)
  return problem(
    "image-quota-exceeded",
    `The account stores ${inMebibytes(kept)} MiB of images, and the plan ${plan} allows ` +
      `${inMebibytes(quotaBytes)} MiB; this image needs ${inMebibytes(bytes)} MiB more. Remove some first.`,
  )
}
