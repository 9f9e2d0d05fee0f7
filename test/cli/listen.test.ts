import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import { petstoreCommand } from "../harness/command-line.ts"
import { startReceiver } from "../harness/receiver.ts"
import { inherited, spawnPetstore } from "../harness/spawn.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const run = (...argv: string[]) => petstoreCommand(petstore.url, argv, { clock: petstore.clock })

/** `petstore listen` in a separate process: its lines on standard output and standard error. */
function startListening(url: string, ...flags: string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, "..", "..", "src", "cli", "main.ts"), "listen", "--json", ...flags],
    { env: { ...inherited, PETSTORE_URL: url }, stdio: ["ignore", "pipe", "pipe"] },
  )
  const lines = (stream: "stdout" | "stderr") =>
    createInterface({ input: child[stream] as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const [shown, said] = [lines("stdout"), lines("stderr")]
  return {
    child,
    shown: async () => JSON.parse((await shown.next()).value ?? ""),
    async said(pattern: RegExp): Promise<string> {
      for (;;) {
        const { value = "", done } = await said.next()
        assert.ok(!done, `ended without saying ${pattern}`)
        if (pattern.test(value)) return value
      }
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
    },
  }
}

test("a new user sees the events they trigger, no webhook remains, and Ctrl-C exits cleanly (slow)", async () => {
  await run("trigger", "pet.created", "--body", '{"name":"Earlier"}')
  await using listening = startListening(petstore.url, "--events", "pet.created")
  await listening.said(/^Listening to /)
  const { out, code } = await run("trigger", "pet.updated")
  assert.equal(code, 0, out)
  assert.match(out, /^created pet (\d+)\nrenamed pet \1\n$/)
  const { id, event, data } = await listening.shown()
  assert.match(id, /^evt_/)
  assert.deepEqual({ event, name: data.name }, { event: "pet.created", name: "Triggered" })
  assert.deepEqual((await petstore.as("special-key").listWebhooks()).value, [])
  listening.child.kill("SIGINT")
  assert.deepEqual(await once(listening.child, "close"), [0, null])
})

test("events from before the start are replayed, so that examples have no race", async () => {
  await run("trigger", "order.delivered")
  const { out, err, code } = await run(
    "listen",
    "--replay",
    "1m",
    "--events",
    "order.delivered",
    "--count",
    "1",
    "--json",
  )
  assert.deepEqual({ code, event: JSON.parse(out).event }, { code: 0, event: "order.delivered" }, err)
  const { value } = await petstore.as("special-key").listEvents()
  const [first, second] = value
  const behind = await run("listen", "--replay", first?.id as string, "--count", "1", "--json")
  assert.equal(JSON.parse(behind.out).id, second?.id)
})

test("events are forwarded, signed with the printed secret, and the result is printed (slow)", async () => {
  await using receiver = await startReceiver()
  await using listening = startListening(petstore.url, "--forward-to", `${receiver.url}/hook`, "--count", "1")
  const secret = /whsec_\S+/.exec(await listening.said(/^Forwarding to /))?.[0] as string
  await listening.said(/^Listening/)
  await run("trigger", "pet.created")
  await listening.said(/^\[2\d\d\] POST http:\S+\/hook \[evt_\S+\] pet\.created \d+ Triggered available$/)
  const [request] = receiver.received
  assert.ok(request)
  new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
  assert.equal(JSON.parse(request.body).event, "pet.created")
})

test("without --json an event is a line, and a failed delivery says why", async () => {
  await run("trigger", "pet.created")
  const flags = ["listen", "--replay", "1m", "--events", "pet.created", "--count", "1"]
  assert.match((await run(...flags)).out, /^\d\d:\d\d:\d\d\.\d{3} \[evt_\S+\] pet\.created \d+ \w+ available\n$/)
  const failed = await run(...flags, "--forward-to", "http://127.0.0.1:1/hook")
  assert.match(failed.out, /^\[failed\] POST http:\/\/127\.0\.0\.1:1\/hook \(.+\) \[evt_\S+\] pet\.created /)
})

test("an unavailable service is retried, and no event is missed or printed twice (slow)", async () => {
  await using service = await spawnPetstore({ env: { PETSTORE_PORT: "0" } })
  const port = new URL(service.url).port
  await using listening = startListening(service.url)
  await listening.said(/^Listening/)
  const add = (name: string) => service.as("special-key").addPet({ body: { name, photoUrls: [] } })
  await add("before")
  assert.equal((await listening.shown()).data.name, "before")
  await service.kill()
  await service.restart({ PETSTORE_PORT: port })
  await add("meanwhile")
  await listening.said(/^Reconnected/)
  await add("after")
  assert.deepEqual([(await listening.shown()).data.name, (await listening.shown()).data.name], ["meanwhile", "after"])
})

test("a triggered pet has the given fields", async () => {
  const { out } = await run(
    "trigger",
    "pet.updated",
    "--body",
    '{"name":"Zoë","tags":[{"name":"shy"}],"status":"pending"}',
  )
  const params = { petId: Number(/\d+/.exec(out)?.[0]) }
  const { name, tags, status } = (await petstore.as("special-key").getPetById({ params })).value
  assert.deepEqual(
    { name, tags: tags.map((tag) => tag.name), status },
    { name: "Zoë again", tags: ["shy"], status: "pending" },
  )
})

test("every triggered event is published", async () => {
  for (const kind of ["pet.deleted", "order.placed", "order.approved", "order.cancelled"]) {
    assert.equal((await run("trigger", kind)).code, 0)
    const { value } = await petstore.as("special-key").listEvents({ query: { limit: 1000 } })
    assert.ok(
      value.some(({ event }) => event === kind),
      kind,
    )
  }
})

test("invalid flags and missing scopes are reported immediately", async () => {
  for (const [argv, says] of [
    [["listen", "--replay", "yesterday"], /--replay is "yesterday"; it must be a period such as 10m/],
    [["listen", "--count", "0"], /--count is "0"/],
    [["listen", "--events", "pet.created,pet.sold"], /unknown event "pet.sold"; events are pet.created, pet.updated/],
    [["trigger", "pet.created", "--body", "[]"], /--body must be a JSON object/],
    [["trigger", "pet.created", "--body", '{"name":""}'], /\/name must/],
    [["listen", "--forward-to", "localhost:3000"], /--forward-to is/],
    [["listen", "--secret", "whsec_c2VjcmV0c2VjcmV0"], /--secret requires --forward-to/],
    [["listen", "--forward-to", "http://localhost:1/", "--secret", "short"], /--secret must be/],
    [["trigger", "webhook.disabled"], /unknown event "webhook.disabled"/],
    [["trigger", "pet.created", "--url", "http://petstore.example"], /is another machine; use --force/],
    [
      ["listen", "--replay", "evt_9999_4f1d2c3b4a59"],
      /does not contain the event with this id, or no longer.*read GET \/events/s,
    ],
    [["listen", "--api-key", "free-key"], /needs the scope manage:webhooks/],
  ] as const) {
    const { code, err } = await run(...argv)
    assert.ok(code !== 0 && says.test(err), `${argv.join(" ")}: ${err}`)
  }
})
