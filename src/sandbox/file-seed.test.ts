import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import { sandboxFileTables } from "./file-seed.ts"

/** The tables of a file in a store whose files are `there`, and that knows the image `known` under its own key. */
function restoring({ there = [] as string[], known }: { there?: string[]; known?: string } = {}) {
  const kept: string[] = []
  const blobs = {
    read: async (blob: string) => (there.includes(blob) ? Readable.from([Buffer.from("a")]) : undefined),
    stage: async () => ({
      write: async (part: string) => `path of ${part}`,
      [Symbol.asyncDispose]: async () => {},
    }),
    async keep() {
      const blob = `new ${kept.length + 1}`
      kept.push(blob)
      there.push(blob)
      return blob
    },
  }
  const parts = { original: Buffer.from("a"), "320": Buffer.from("b"), "1280": Buffer.from("c") }
  const file = {
    kind: "sandbox",
    sealing: { open: (sealed: string) => sealed.replace("old ", "") },
    tables: [
      { name: "pets", columns: ["id", "name"], rows: [[1, "Rex"]] },
      { name: "limit_cells", columns: ["account"], rows: [[1]] },
      { name: "signing_keys", columns: ["kid"], rows: [["k"]] },
      {
        name: "images",
        columns: ["sha256", "blob"],
        rows: [
          ["h1", "key 1"],
          ["h2", "key 2"],
        ],
      },
      { name: "webhook_secrets", columns: ["sealed", "id"], rows: [["old secret", 1]] },
    ],
    images: [{ sha256: "h1", key: "key 1", parts }],
  }
  const deps = {
    store: { images: { read: async () => (known === undefined ? undefined : { blob: known }) } },
    clock: { now: () => 5 },
    blobs,
    sealing: { seal: (text: string) => `new ${text}` },
  }
  const [given, its] = [file, deps] as unknown as Parameters<typeof sandboxFileTables>
  return { tables: sandboxFileTables(given, its), kept, there }
}

test("tables have the keys of images here, secrets under the own key, and no limits and signing keys", async () => {
  const { tables, kept } = restoring()
  assert.deepEqual(
    (await tables()).map(({ name, rows }) => [name, rows]),
    [
      ["pets", [[1, "Rex"]]],
      ["limit_cells", []],
      ["signing_keys", []],
      [
        "images",
        [
          ["h1", "new 1"],
          ["h2", "key 2"],
        ],
      ],
      ["webhook_secrets", [["new secret", 1]]],
    ],
  )
  assert.deepEqual(kept, ["new 1"])
})

test("an image is stored once, unless its file was lost", async () => {
  const own = restoring({ there: ["own"], known: "own" })
  const blobOf = async ({ tables }: typeof own) => (await tables()).find(({ name }) => name === "images")?.rows[0]?.[1]
  assert.deepEqual([await blobOf(own), await blobOf(own), own.kept], ["own", "own", []])
  own.there.length = 0
  assert.deepEqual([await blobOf(own), await blobOf(own), own.kept], ["new 1", "new 1", ["new 1"]])
  assert.equal(await blobOf(restoring({ known: "lost" })), "new 1")
})
