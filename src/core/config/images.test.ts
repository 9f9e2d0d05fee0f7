import assert from "node:assert/strict"
import { resolve } from "node:path"
import { test } from "node:test"
import { CannotStart } from "../kernel/cannot-start.ts"
import { readConfigWith } from "./config.ts"
import type { Environment } from "./setting.ts"

const readConfig = (env: Environment) => readConfigWith([], env)

const imagesAt = (PETSTORE_BLOB_URL: string, more = {}) => readConfig({ PETSTORE_BLOB_URL, ...more }).images
const refusal = (url: string, more = {}) => {
  try {
    imagesAt(url, more)
  } catch (error) {
    assert.ok(error instanceof CannotStart)
    return error.message
  }
  return assert.fail(`${url} was taken`)
}

test("images are in the data directory by default", () => {
  const [byDefault, elsewhere] = [readConfig({ PETSTORE_DATA_DIR: "/d" }).images, imagesAt("file:/else")]
  assert.deepEqual(byDefault, { kind: "disk", directory: resolve("/d/images") })
  assert.deepEqual(elsewhere, { kind: "disk", directory: "/else" })
})

test("an S3 URL names a bucket, and optionally prefix, server and region", () => {
  const more = { PETSTORE_DATA_DIR: "/d" }
  const plain = { kind: "s3", directory: "/d/staged", bucket: "pets", prefix: "", redirects: false }
  const own = { endpoint: undefined, publicEndpoint: undefined, region: undefined }
  assert.deepEqual(imagesAt("s3://pets", more), { ...plain, ...own })
  assert.deepEqual(
    imagesAt("s3://pets/a/b/?endpoint=http://s3.test:9000&region=eu-1", {
      ...more,
      PETSTORE_BLOB_DOWNLOADS: "redirect",
    }),
    {
      ...plain,
      prefix: "a/b/",
      region: "eu-1",
      redirects: true,
      endpoint: "http://s3.test:9000",
      publicEndpoint: "http://s3.test:9000",
    },
  )
  const outside = imagesAt("s3://pets?endpoint=http://s3:9000&publicEndpoint=https://images.example", more)
  assert.deepEqual(outside, {
    ...plain,
    endpoint: "http://s3:9000",
    publicEndpoint: "https://images.example",
    region: undefined,
  })
})

test("an invalid URL is refused, with the valid form", () => {
  for (const url of ["s3:", "s3://", "s3://P", "s3://a_b", "s3://pets#x", "s3://pets:1", "http://pets", "file:"])
    assert.match(refusal(url), /^PETSTORE_BLOB_URL is .* it must be .*s3:\/\/BUCKET/, url)
  assert.match(refusal("s3://pets?endpint=http://x"), /endpint is none of endpoint, publicEndpoint, region$/)
  for (const endpoint of [
    "x",
    "ftp://x",
    "http://x/path",
    "http://x?a",
    "http://x#a",
    "http://me@x",
    "http://:me@x",
    "",
  ])
    assert.match(refusal(`s3://pets?endpoint=${encodeURIComponent(endpoint)}`), /endpoint must be an http or https/)
  assert.match(refusal("s3://pets?endpoint=http://x&publicEndpoint=x"), /publicEndpoint must be an http or https/)
  for (const prefix of ["a%20b", "a%2F..%2Fb", "%3F", "...", "a/%C3%A9"])
    assert.match(refusal(`s3://pets/${prefix}`), /a prefix is made of/)
})

test("credentials in a URL are refused, and not repeated", () => {
  for (const url of ["s3://key:geheim@pets", "s3://geheim@pets", "s3://:geheim@pets"]) {
    const message = refusal(url)
    assert.match(message, /AWS_ACCESS_KEY_ID/)
    assert.doesNotMatch(message, /geheim/)
  }
})

test("only images in S3 can be redirected to", () => {
  assert.match(refusal("file:/x", { PETSTORE_BLOB_DOWNLOADS: "redirect" }), /only images in S3/)
  assert.match(refusal("s3://pets", { PETSTORE_BLOB_DOWNLOADS: "maybe" }), /must be stream or redirect/)
})
