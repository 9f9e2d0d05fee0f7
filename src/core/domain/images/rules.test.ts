import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import type { Pet } from "../pets/contract.ts"
import { imagesPath } from "./contract.ts"
import { addImage, checkImageQuota, removeImage } from "./rules.ts"

const hashOf = (n: number) => String(n).padStart(64, "0")
const urlOf = (n: number) => `https://a.example${imagesPath}/${hashOf(n)}`
const petWith = (...photoUrls: string[]): Pet => ({ id: 1, name: "Rex", photoUrls, tags: [], status: "available" })
const detailOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.detail : outcome)

test("an image is added once, at the end, up to fifty", () => {
  const pet = petWith(urlOf(1), "https://b.example/cat.png")
  assert.deepEqual(addImage(pet, urlOf(2)), petWith(...pet.photoUrls, urlOf(2)))
  assert.equal(addImage(pet, `${imagesPath}/${hashOf(1)}`), pet)
  const many = Array.from({ length: 49 }, (_, n) => urlOf(n))
  assert.deepEqual(addImage(petWith(...many), urlOf(49)), petWith(...many, urlOf(49)))
  const full = petWith(...many, urlOf(49))
  assert.equal(detailOf(addImage(full, urlOf(50))), "Rex already has 50 images; remove one first")
  assert.equal(addImage(full, urlOf(7)), full)
})

test("an image is removed from a pet that has it", () => {
  const pet = petWith(urlOf(1), "https://b.example/cat.png", urlOf(2))
  assert.deepEqual(removeImage(pet, hashOf(2)), petWith(urlOf(1), "https://b.example/cat.png"))
  assert.equal(detailOf(removeImage(pet, hashOf(3))), "Image not found")
})

test("images of an account have a quota in bytes", () => {
  const mebibyte = 1024 * 1024
  assert.equal(checkImageQuota(1, 9, 10, "free"), true)
  assert.equal(
    detailOf(checkImageQuota(mebibyte + 1, 9 * mebibyte, 10 * mebibyte, "free")),
    "The account stores 9 MiB of images, and the plan free allows 10 MiB; this image needs 2 MiB more. Remove some first.",
  )
})
