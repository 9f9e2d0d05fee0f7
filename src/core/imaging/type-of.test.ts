import assert from "node:assert/strict"
import { test } from "node:test"
import { imageTypeOf } from "./type-of.ts"

const box = (length: string, brands: string) => `${length}ftyp${brands}`

test("the type of an image is that of its first bytes, and others have none", () => {
  for (const [type, text] of [
    ["image/jpeg", "\xff\xd8\xff"],
    [undefined, "\xff\xd8"],
    [undefined, "a\xff\xd8\xff"],
    ["image/png", "\x89PNG\r\n\x1a\n"],
    [undefined, "\x89PNG\r\n\x1a\r"],
    [undefined, "a\x89PNG\r\n\x1a\n"],
    ["image/webp", "RIFF\n\0\0\0WEBP"],
    [undefined, "RIFF\0\0\0WEBP"],
    [undefined, "aRIFF\0\0\0\0WEBP"],
    ["image/gif", "GIF87a"],
    ["image/gif", "GIF89a"],
    [undefined, "GIF88a"],
    ["image/avif", box("\0\0\0\x10", "avif\0\0\0\0")],
    ["image/avif", box("\0\0\0\x10", "avis\0\0\0\0")],
    ["image/avif", box("\0\0\0\x14", "mif1\0\0\0\0avif")],
    [undefined, box("\0\0\0\x13", "mif1\0\0\0\0avif")],
    [undefined, box("\0\0\0\x15", "mif1\0\0\0\0aavif")],
    [undefined, box("\0\0\0\x14", "heic\0\0\0\0mif1")],
    ["image/avif", box("\0\0\xff\xff", `mif1${"heic".repeat(60)}avif`)],
    [undefined, box("\0\0\xff\xff", `mif1${"heic".repeat(61)}avif`)],
    [undefined, `\0\0\0\x10avif`],
    [undefined, ""],
  ] as const)
    assert.equal(imageTypeOf(Buffer.from(text, "latin1")), type, JSON.stringify(text))
})
