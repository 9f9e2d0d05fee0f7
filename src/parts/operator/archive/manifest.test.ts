import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { formatManifest, type Manifest, mayHoldSecrets, parseManifest } from "./manifest.ts"

const manifest: Manifest = {
  createdAt: "2026-01-01T00:00:00.000Z",
  program: "1.2.3",
  database: { kind: "sqlite", id: "d", schemaVersion: 28, rows: { pets: 1 } },
  sealingKey: "stored",
  files: { count: 4, bytes: 100, sha256: "a" },
}
const missing = [{ sha256: "a", key: "k", reason: "missing" as const }]
const damaged = [{ kind: "pets" as const, ids: [1], count: 1 }]

test("a manifest reads back as written, in the oldest format that has all of it", () => {
  for (const [made, format] of [
    [manifest, 1],
    [{ ...manifest, missing }, 2],
    [{ ...manifest, damaged }, 2],
  ] as const) {
    const text = formatManifest(made)
    assert.deepEqual(parseManifest(text), made)
    assert.equal(JSON.parse(text).format, format)
    assert.ok(text.endsWith("}\n"))
  }
})

test("a manifest that was changed is damaged, and one of a newer program says so", () => {
  const text = formatManifest(manifest)
  const damagedText = new CannotStart("The manifest of the archive is damaged")
  const sealed = (content: object) =>
    `${JSON.stringify({ ...content, checksum: hash("sha256", JSON.stringify(content)) }, null, 2)}\n`
  const content = { format: 1, ...manifest }
  assert.equal(sealed(content), text)
  for (const changed of [
    "",
    "7",
    "null",
    "{}",
    text.slice(0, -3),
    text.replace("100", "101"),
    `${text} `,
    text.replace("1.2.3", "1.2.4"),
  ])
    assert.throws(() => parseManifest(changed), damagedText, JSON.stringify(changed))
  assert.throws(() => parseManifest(sealed({ ...content, format: 2 })), damagedText, "another format with its checksum")
  for (const format of [3, 30])
    assert.throws(
      () => parseManifest(sealed({ ...content, format })),
      new CannotStart(`The archive has format ${format}, but this program supports only up to 2: use a newer Petstore`),
    )
})

test("a database holds secrets when it has the tables for them, and a signing key", () => {
  const sqlite = (rows: Record<string, number>) => mayHoldSecrets({ kind: "sqlite", id: "d", schemaVersion: 1, rows })
  assert.equal(mayHoldSecrets({ kind: "postgres", id: "d" }), true)
  assert.deepEqual(
    [
      sqlite({}),
      sqlite({ signing_keys: 0, webhook_secrets: 3 }),
      sqlite({ signing_keys: 1 }),
      sqlite({ signing_keys: 1, webhook_secrets: 0 }),
    ],
    [false, false, false, true],
  )
})
