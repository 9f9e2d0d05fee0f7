import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe, test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { npmTools, runTool } from "../harness/foreign-tools.ts"
import { packageName } from "../harness/package.ts"

const root = join(import.meta.dirname, "..", "..")
const { path: tools = "", missing = false } = await npmTools()

type Component = { "bom-ref": string; name: string; version: string; hashes: { alg: string; content: string }[] }
type Bom = { serialNumber: string; metadata: { timestamp: string; component: Component }; components: Component[] }
type Locked = { version: string; integrity: string; dev?: true; devOptional?: true }

/** A bill of materials as `npm run sbom` generates it at that time. */
async function makeBom(epochSeconds: number): Promise<string> {
  using directory = temporaryDirectory()
  const file = join(directory.path, "bom.json")
  await runTool("env", [`SOURCE_DATE_EPOCH=${epochSeconds}`, "npm", "run", "--silent", "sbom", "--", file], root)
  return readFileSync(file, "utf8")
}

describe("the bill of materials", async () => {
  const text = await makeBom(0)
  const bom = JSON.parse(text) as Bom

  test("conforms to the CycloneDX schema", { skip: missing }, async () => {
    const { Validation, Spec } = createRequire(join(tools, "package.json"))("@cyclonedx/cyclonedx-library")
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5)
    assert.equal(await validator.validate(text), null)
    assert.notEqual(await validator.validate(text.replace('"SHA-512"', '"SHA-513"')), null)
  })

  test("lists every package of a production install on any platform, with its hash, and no other", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
    const expected = Object.values<Locked>(lock.packages)
      .filter(({ integrity, dev, devOptional }) => integrity && !dev && !devOptional)
      .map(({ version, integrity }) => `${version} ${integrity}`)
    const listed = bom.components.map(({ version, hashes: [hash] }) => {
      const integrity = Buffer.from(hash?.content ?? "", "hex").toString("base64")
      return `${version} sha512-${integrity}`
    })
    assert.ok(listed.length > 100)
    assert.deepEqual(
      {
        missing: expected.filter((one) => !listed.includes(one)),
        other: listed.filter((one) => !expected.includes(one)),
      },
      { missing: [], other: [] },
    )
  })

  test("is identical for the same commit, and names the program regardless of its directory", async () => {
    assert.equal(await makeBom(0), text)
    const later = JSON.parse(await makeBom(1)) as Bom
    assert.notEqual(later.serialNumber, bom.serialNumber)
    assert.match(bom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(bom.metadata.timestamp, "1970-01-01T00:00:00.000Z")
    assert.equal(bom.metadata.component.name, packageName)
  })
})

type Report = { vulnerabilities?: Record<string, { severity: string }>; message?: string }

/** Packages with a serious known vulnerability; undefined when this is not a report. */
const seriousIn = ({ vulnerabilities }: Report): string[] | undefined =>
  vulnerabilities &&
  Object.entries(vulnerabilities)
    .filter(([, { severity }]) => severity === "high" || severity === "critical")
    .map(([name, { severity }]) => `${name}: ${severity}`)

test("no production package has a known vulnerability of high severity", (t) => {
  const found = { a: { severity: "moderate" }, b: { severity: "high" }, c: { severity: "critical" } }
  assert.deepEqual(seriousIn({ vulnerabilities: found }), ["b: high", "c: critical"])

  const { stdout, stderr, error } = spawnSync("npm", ["audit", "--omit=dev", "--package-lock-only", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: 120_000,
  })
  const report: Report = JSON.parse(stdout || "{}")
  const serious = seriousIn(report)
  if (serious) return assert.deepEqual(serious, [])
  const reason = `NOT TESTED, the registry does not answer npm audit: ${report.message ?? error?.message ?? stderr}`
  process.stderr.write(`\n*** ${reason}\n\n`)
  t.skip(reason)
})
