// Runs in a process of its own.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { makeImage } from "../harness/images.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const boundary = "XX"

const part = (head: string, content: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ])

async function upload(path: string, body: Uint8Array<ArrayBuffer>, isChunked = false) {
  const response = await fetch(petstore.url + path, {
    method: "POST",
    headers: { api_key: "special-key", "content-type": `multipart/form-data; boundary=${boundary}` },
    ...(isChunked ? { body: new Blob([body]).stream(), duplex: "half" } : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const image = await makeImage("jpeg", 1200, 900)

describe("an upload whose form ends before it is complete is 400, wherever it is cut:", () => {
  const whole = Buffer.concat([
    part('name="additionalMetadata"', "a note"),
    part('name="file"; filename="a.jpg"', image),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const content = whole.indexOf(image)

  test("complete, it is accepted", async () => {
    assert.equal((await upload("/api/v3/pet/1/uploadImage", whole)).status, 200)
  })

  for (const [where, length] of Object.entries({
    "in the first boundary": 3,
    "in a head": 30,
    "in a field": whole.indexOf("a note") + 2,
    "at the start of the file": content,
    "in the file": content + Math.floor(image.length / 2),
    "before the closing boundary": content + image.length + 2,
    "in the closing boundary": content + image.length + 5,
    "in the mark that closes it": whole.length - 3,
  }))
    test(where, async () => {
      const cut = whole.subarray(0, length)
      for (const base of ["/api/v3", "/v2", "/s/cut/api/v3"])
        for (const isChunked of [false, true]) {
          const { status, text } = await upload(`${base}/pet/1/uploadImage`, cut, isChunked)
          assert.equal(status, 400, `${base}: ${text}`)
        }
    })
})
