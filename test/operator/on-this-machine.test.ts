import assert from "node:assert/strict"
import { chmodSync, readdirSync, renameSync, statSync } from "node:fs"
import { createConnection } from "node:net"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { askRunning } from "../../src/parts/operator/socket.ts"
import { machineWith, petstoreCommand } from "../harness/command-line.ts"
import { useSampleApplication } from "../harness/oauth.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)
const dataDir = () => dirname(petstore.databaseFile)

/** Runs a command like an operator on the machine, without a key. */
const onMachine = (...argv: string[]) =>
  petstoreCommand(petstore.url, argv, {
    ...machineWith({ PETSTORE_DATA_DIR: dataDir() }),
  })

const newest = async () => (await petstore.as("special-key").listAudit({ query: { limit: 1 } })).value[0]

test("the running service creates a key with all scopes without a credential, and audits it", async () => {
  const { code, out, err } = await onMachine("admin", "create-key", "--name", "after the loss")
  assert.equal(code, 0, err)
  const { value } = await petstore.as(out.trim()).getOwnAccount()
  assert.ok(value.scopes.includes("admin"))
  const entry = await newest()
  const [, id] = /^Key (\d+),/.exec(err) ?? []
  assert.deepEqual(
    { principal: entry?.principal, action: entry?.action, thing: entry?.thing },
    { principal: "operator", action: "key.created", thing: `key:${id}` },
  )
  assert.ok(!JSON.stringify(entry).includes(out.trim()))
})

test("secrets are encrypted under a new key while the service is running, and webhooks still sign", async () => {
  const store = petstore.as("special-key")
  const { value: webhook } = await store.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  const [before] = await petstore.store.webhooks.secrets(webhook.id, petstore.clock.now())
  const { code, out } = await onMachine("keys", "rotate-sealing")
  assert.equal(code, 0, out)
  assert.match(out, /^\d+ secrets were encrypted under a new key\.\n$/)
  const [after] = await petstore.store.webhooks.secrets(webhook.id, petstore.clock.now())
  assert.notEqual(after, before)
  assert.deepEqual(
    { action: (await newest())?.action, principal: (await newest())?.principal },
    { action: "sealing-key.rotated", principal: "operator" },
  )
  await store.rotateWebhookSecret({ params: { webhookId: webhook.id } })
  assert.ok(await application.clientToken("read:pets"))
})

test("a new signing key is in the key set immediately, with the old ones or alone", async () => {
  const kids = async () => {
    const { keys } = (await (await fetch(`${petstore.url}/oauth/jwks`)).json()) as { keys: { kid: string }[] }
    return keys.map(({ kid }) => kid)
  }
  const first = await kids()
  const rotated = await onMachine("keys", "rotate-signing")
  const second: string[] = rotated.out.match(/[\w-]{43}/g) ?? []
  assert.deepEqual([first.length, second.length], [2, 2])
  assert.deepEqual((await kids()).toSorted(), [...second, ...first].toSorted())
  const alone = await onMachine("keys", "rotate-signing", "--forget-old", "--json")
  assert.deepEqual((await kids()).toSorted(), Object.values(JSON.parse(alone.out)).toSorted())
  assert.equal((await newest())?.action, "signing-key.rotated")
})

test("only the owner of the data directory can open the socket, and invalid requests have no effect", async () => {
  const path = join(dataDir(), "admin.sock")
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const earlier = (await newest())?.id
  const sendLine = (sent: string) => {
    const socket = createConnection(path)
    socket.end(sent)
    return text(socket)
  }
  for (const sent of ["{}\n", "null\n", "not JSON\n", "", '{"action":"create-key"', `${"x".repeat(10_000)}\n`])
    assert.match(await sendLine(sent), /^\{"error":".+"\}\n$/, sent.slice(0, 20))
  assert.equal((await newest())?.id, earlier)
})

test("the doctor checks the files and queries the running service", async () => {
  const well = await onMachine("doctor")
  assert.equal(well.code, 0, well.out)
  for (const line of [/^ok +permissions: \d+ files/m, /^ok +schema: version \d+/m, /^ok +deliveries: 0 webhooks/m])
    assert.match(well.out, line)
  assert.match(well.out, /^ok +images: \d+, of which 0 belong to no pet/m)
  const [lost = ""] = readdirSync(join(petstore.imageDirectory, "kept"))
  renameSync(join(petstore.imageDirectory, "kept", lost), join(petstore.imageDirectory, "lost"))
  const incomplete = await onMachine("doctor")
  assert.equal(incomplete.code, 1)
  assert.match(
    incomplete.out,
    new RegExp(`^problem +image files: files of an image are missing: ${lost}\n +→ See "`, "m"),
  )
  renameSync(join(petstore.imageDirectory, "lost"), join(petstore.imageDirectory, "kept", lost))
  assert.equal((await onMachine("doctor")).code, 0)
  chmodSync(petstore.databaseFile, 0o644)
  const open = await onMachine("doctor")
  assert.equal(open.code, 1)
  assert.match(open.out, /problem +permissions: other users can read petstore\.db\n +→ chmod/)
  chmodSync(petstore.databaseFile, 0o600)
})

test("a reset with a refused credential goes through the data directory of the same service only", async () => {
  await using own = await startPetstore()
  const run = (url: string, ...argv: string[]) =>
    petstoreCommand(url, ["reset", ...argv], {
      ...machineWith({ PETSTORE_DATA_DIR: dirname(own.databaseFile) }),
    })
  const pets = async () => (await own.as("pro-key").listPets()).value.length
  // An earlier version allowed it.
  await own.store.transaction((tx) => tx.keys.revoke(1, 1, own.clock.now()))
  await own.signals.announce({ kind: "credentials-changed", accountId: 1 })
  await assert.rejects(own.as("special-key").listPets(), refusedAs("unauthorized"))
  await own.as("pro-key").deletePet({ params: { petId: 1 } })

  for (const [url, refused] of [
    [petstore.url, "unknown"],
    [`${own.url}/s/named`, "unknown"],
  ] as const) {
    const elsewhere = await run(url, "--api-key", refused)
    assert.equal(elsewhere.code, 1)
    assert.match(elsewhere.err, /belong to the service at .*nothing was changed\.\n[\s\S]*unauthorized \(401\)/)
  }
  assert.equal(await pets(), 9)

  const reset = await run(own.url.replace("127.0.0.1", "localhost"))
  assert.deepEqual(
    { code: reset.code, out: reset.out },
    { code: 0, out: "The sandbox has been reset: initial\n" },
    reset.err,
  )
  assert.equal((await own.as("special-key").listPets()).value.length, 10)
  const limited = await run(own.url, "--api-key", "free-key", "--seed", "empty", "--json")
  assert.deepEqual(
    { code: limited.code, answer: JSON.parse(limited.out) },
    { code: 0, answer: { message: "The sandbox has been reset: empty" } },
  )
  assert.equal(await pets(), 0)
  const unknown = { action: "reset", seed: "zoo" as "empty", url: own.url } as const
  assert.match(String((await askRunning(dirname(own.databaseFile), unknown))?.error), /nothing was changed/)
})

test("production has no reset on its own machine either", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  const { url, databaseFile } = production
  const response = await askRunning(dirname(databaseFile), { action: "reset", seed: "empty", url })
  assert.deepEqual(response, { error: "There is no sandbox to reset here; nothing was changed." })
})
