import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { test } from "node:test"
import { readConfig, settings } from "../src/config.ts"
import { decoderBytesMax, decodersWithin, serviceBytes } from "../src/core/imaging/decoder-memory.ts"

const root = join(import.meta.dirname, "..", "deploy")
const files = globSync("**/*", { cwd: root, exclude: [".env"], withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: relative(root, path), text: readFileSync(path, "utf8") }))
const textOf = (name: string) => files.find((file) => file.name === name)?.text ?? assert.fail(`no ${name}`)

/** The settings that a file assigns, as `NAME: value` or `NAME=value`. */
const assigned = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\b(PETSTORE_\w+)(?:=|: )("[^"\n]*"|[^"\s]*)/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll('"', ""),
    ]),
  )
const secretKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

test("every setting named in a deployment file exists", () => {
  const named = files.flatMap(({ name, text }) => [...text.matchAll(/\bPETSTORE_\w+/g)].map(([one]) => ({ name, one })))
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(({ one }) => !settings.some(({ variable }) => variable === one)),
    [],
  )
})

test("the service accepts the settings of the deployment files", () => {
  const container = assigned(textOf("Containerfile"))
  const filled = textOf("compose.yaml").replace(/\$\{PETSTORE_PUBLIC_URL:[^}]*\}/, "http://localhost:8080")
  const compose = assigned(
    filled.replace(/\$\{PETSTORE_SECRET_KEY:[^}]*\}/, secretKey).replace(/\$\{\w+:[^}]*\}/g, "x"),
  )
  const kubernetes = assigned(textOf("kubernetes/configuration.yaml"))
  const unit = assigned(textOf("petstore.service"))
  const publicUrl = { PETSTORE_PUBLIC_URL: "https://petstore.example" }

  const replica = readConfig({ ...container, ...compose })
  assert.deepEqual(
    { profile: replica.profile, database: replica.database.kind, images: replica.images.kind },
    { profile: "production", database: "postgres", images: "s3" },
  )
  assert.equal(replica.drainTimeoutMs, 30_000)
  assert.equal(readConfig({ ...container, ...kubernetes }).images.kind, "s3")
  const single = readConfig({ ...unit, ...publicUrl })
  assert.deepEqual(
    { profile: single.profile, dataDir: single.dataDir },
    { profile: "production", dataDir: "/var/lib/petstore" },
  )
})

test("a replica has more time to stop than its drain timeout", () => {
  const seconds = (name: string, form: RegExp) => Number(form.exec(textOf(name))?.[1])
  const drains = (name: string) => Number(assigned(textOf(name)).PETSTORE_DRAIN_SECONDS)
  const preStop = seconds("kubernetes/petstore.yaml", /sleep: \{ seconds: (\d+)/)
  const grace = seconds("kubernetes/petstore.yaml", /terminationGracePeriodSeconds: (\d+)/)
  assert.ok(grace > preStop + drains("kubernetes/configuration.yaml"))
  assert.ok(seconds("compose.yaml", /stop_grace_period: (\d+)s/) > drains("compose.yaml"))
  assert.ok(seconds("petstore.service", /TimeoutStopSec=(\d+)/) > drains("petstore.service"))
})

test("all deployment files start the service through its launcher, which sets the flags of the runtime", () => {
  assert.match(textOf("Containerfile"), /^ENTRYPOINT \["\/app\/bin\/petstore"\]\nCMD \["serve"\]$/m)
  assert.match(textOf("petstore.service"), /^ExecStart=\S+\/bin\/petstore serve$/m)
  const launcher = readFileSync(join(root, "..", "bin", "petstore"), "utf8")
  const flags = [...launcher.matchAll(/ (--(?:no|max)-[\w-]+)/g)]
  assert.ok(flags.length > 0)
  for (const [, flag = ""] of flags)
    for (const { name, text } of files) assert.ok(!text.includes(flag), `${name}: ${flag}`)
  for (const { name, text } of files) assert.ok(!/^\s*(command|args):.*petstore/m.test(text), name)
})

test("the balancer keeps all replicas in rotation, tries each of them, and has no error page of its own", () => {
  const nginx = textOf("nginx.conf")
  const servers = [...nginx.matchAll(/^\s*server (petstore-\d:8080)(.*);$/gm)]
  const replicas = [...textOf("compose.yaml").matchAll(/^ {2}(petstore-\d): \{/gm)].map(([, name]) => name)
  assert.deepEqual(
    servers.map(([, address]) => address),
    replicas.map((name) => `${name}:8080`),
  )
  for (const [line, , options] of servers) assert.equal(options, " max_fails=0", line)
  assert.match(nginx, new RegExp(`proxy_next_upstream_tries ${replicas.length};`))
  assert.match(nginx, /error_page 502 504 = @unavailable;/)
})

test("no file contains a password: secrets are required variables, and empty in the examples", () => {
  const references = [...textOf("compose.yaml").matchAll(/\$\{(\w+)([^}]*)\}/g)]
  assert.ok(references.length > 10)
  for (const [all, name, rest] of references) {
    assert.equal(rest, ":?see deploy/example.env", all)
    assert.match(textOf("example.env"), new RegExp(`^${name}=`, "m"))
  }
  const secret = /^\s*(\w*(?:PASSWORD|SECRET|ACCESS_KEY|DATABASE_URL|REDIS_URL)\w*)(?:=|: )(.*)$/gm
  for (const name of ["example.env", "kubernetes/secret.yaml.example", "kubernetes/configuration.yaml"])
    for (const [, variable, value] of textOf(name).matchAll(secret))
      assert.ok(value === "" || value === '""', variable ?? "")
})

test("every container runs without root, with a read-only file system, and cannot gain privileges", () => {
  assert.match(textOf("Containerfile"), /^USER 10001:10001$/m)
  const kubernetes = textOf("kubernetes/petstore.yaml")
  for (const line of [
    ...["enableServiceLinks: false", "runAsNonRoot: true", "readOnlyRootFilesystem: true", "drop: [ALL]"],
    ...["allowPrivilegeEscalation: false", "automountServiceAccountToken: false", "path: /livez", "path: /readyz"],
  ])
    assert.ok(kubernetes.includes(line), line)
  for (const line of ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"])
    assert.equal(textOf("compose.yaml").split(line).length, 3, `${line} for replicas and balancer`)
})

test("the memory limit of every file is sufficient for the service and for decoders of any image", () => {
  const limits: Record<string, RegExp> = {
    "petstore.service": /^MemoryMax=(\d+)([MG])$/m,
    "compose.yaml": /^ {2}mem_limit: (\d+)([mg])$/m,
    "kubernetes/petstore.yaml": /limits: \{ memory: (\d+)([MG])i \}/,
  }
  for (const [name, form] of Object.entries(limits)) {
    const [, number, unit] = form.exec(textOf(name)) ?? assert.fail(`${name} has no limit`)
    const bytes = Number(number) * 1024 ** (unit?.toUpperCase() === "G" ? 3 : 2)
    const { processes, memoryBytesMax } = decodersWithin(bytes)
    assert.equal(memoryBytesMax, decoderBytesMax, name)
    // A decoder checks its memory every 20 ms and may exceed the limit in between.
    const spare = 128 * 1024 * 1024
    assert.ok(serviceBytes + processes * memoryBytesMax + spare <= bytes, name)
  }
})
