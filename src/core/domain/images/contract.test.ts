import assert from "node:assert/strict"
import { test } from "node:test"
import { imageHashIn, imagePath, isImageType, perPart, totalBytes } from "./contract.ts"

const hash = "0123456789abcdef".repeat(4)

test("an image has a path, and one for each smaller copy", () => {
  assert.deepEqual(
    perPart((part) => imagePath(hash, part)),
    {
      original: `/images/${hash}`,
      320: `/images/${hash}/320`,
      1280: `/images/${hash}/1280`,
    },
  )
  assert.equal(imagePath(hash), `/images/${hash}`)
  assert.equal(totalBytes({ original: 100, 320: 20, 1280: 3 }), 123)
})

test("the hash is found in a URL of an image of any service", () => {
  for (const start of ["", "http://a", "HTTPS://a.example:8080/s/one"])
    for (const end of ["", "/320", "/1280"]) assert.equal(imageHashIn(`${start}/images/${hash}${end}`), hash)
  for (const url of [
    `/images/${hash}/`,
    `/images/${hash}/original`,
    `/images/${hash.slice(1)}`,
    `/images/${hash}0`,
    `/images/${hash.toUpperCase()}`,
    `/s/one/images/${hash}`,
    `https://a/?b=/images/${hash}`,
    `https://a/#/images/${hash}`,
    `ftp://a/images/${hash}`,
  ])
    assert.equal(imageHashIn(url), undefined, url)
})

test("five types are images", () => {
  const types = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]
  assert.ok(types.every(isImageType))
  assert.deepEqual(["image/svg+xml", "", undefined].map(isImageType), [false, false, false])
})
