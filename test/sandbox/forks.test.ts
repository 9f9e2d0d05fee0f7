import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { makeImage } from "../harness/images.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { sandboxDirectoriesOf } from "../harness/sandbox-directory.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

describe("forks of a named sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const receiver = use(startReceiver)
  const at = (name: string, key = "special-key") =>
    createClient({ ...api, ...sandbox }, { url: `${petstore.url}/s/${name}`, headers: { api_key: key } })
  const pet = (name: string) => ({ body: { name, photoUrls: [] } })
  const namesOf = async (name: string) =>
    (await at(name).listPets({ query: { limit: 1000 } })).value.map((each) => each.name)

  test("a fork has the pets, users, keys, used limits and time of its source, and each then changes alone", async () => {
    const fixture = at("fixture")
    const { value: key } = await fixture.createKey({ body: { name: "own", scopes: ["read:pets"] } })
    await fixture.createUser({ body: { username: "ada", password: "secret-word", email: "a@b.example" } })
    await fixture.advanceClock({ body: { advance: "PT36H" } })
    await fixture.addPet(pet("Rex"))
    for (let n = 0; n < 3; n++) await at("fixture", "free-key").getPetById({ params: { petId: 1 } })

    const { value, status, headers } = await fixture.forkSandbox({ body: { name: "test-17" } })
    assert.deepEqual([value.name, value.url, value.copiedFrom], ["test-17", `${petstore.url}/s/test-17`, "fixture"])
    assert.deepEqual([status, headers.get("location")], [201, `${petstore.url}/s/test-17/api/v3/sandboxes/test-17`])
    const shown = await fetch(headers.get("location") as string, { headers: { api_key: "special-key" } })
    assert.equal(((await shown.json()) as { copiedFrom: string }).copiedFrom, "fixture")

    const fork = at("test-17")
    assert.deepEqual(await namesOf("test-17"), await namesOf("fixture"))
    assert.equal((await fork.getUserByName({ params: { username: "ada" } })).value.email, "a@b.example")
    assert.equal((await at("test-17", key.secret).getPetById({ params: { petId: 11 } })).value.name, "Rex")
    assert.equal((await fork.getClock()).value.aheadSeconds, 129_600)
    const { value: account } = await at("test-17", "free-key").getOwnAccount()
    assert.deepEqual(
      account.limits.map(({ used }) => used),
      [3, 3],
    )

    await fork.addPet(pet("Fido"))
    await fixture.addPet(pet("Tom"))
    await fork.advanceClock({ body: { advance: "P1D" } })
    assert.deepEqual([(await namesOf("test-17"))[0], (await namesOf("fixture"))[0]], ["Fido", "Tom"])
    assert.equal((await fixture.getClock()).value.aheadSeconds, 129_600)
  })

  test("photos of a fork are its own, and webhooks are paused until it activates them (slow)", async () => {
    const source = at("pictured")
    await source.uploadFile({
      params: { petId: 1 },
      upload: new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" }),
    })
    const { value: hook } = await source.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await source.forkSandbox({ body: { name: "copied" } })
    await source.resetSandbox({ query: {} })

    const { photoUrls } = (await at("copied").getPetById({ params: { petId: 1 } })).value
    for (const url of photoUrls) {
      assert.ok(url.startsWith(`${petstore.url}/s/copied/images/`), url)
      assert.equal((await fetch(url)).status, 200, url)
    }
    assert.equal(photoUrls.length, 2)
    const params = { webhookId: hook.id }
    assert.equal((await at("copied").getWebhook({ params })).value.status, "paused")
    await at("copied").addPet(pet("while paused"))
    const { value: advanced } = await at("copied").advanceClock({ body: { advance: "PT1H" } })
    assert.deepEqual([advanced.deliveriesAttempted, receiver.received], [0, []])
    await at("copied").updateWebhook({ params, body: { status: "active" } })
    await at("copied").addPet(pet("later"))
    await receiver.until((all) => all.length === 2)
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data.name),
      ["while paused", "later"],
    )
  })

  test("a reset from a fork makes a sandbox a copy of it, again and again", async () => {
    await at("base").resetSandbox({ query: { seed: "empty" } })
    await at("base").addPet(pet("only"))
    await at("run").addPet(pet("left over"))
    for (let n = 0; n < 3; n++) {
      const { value } = await at("run").resetSandbox({ query: { from: "base" } })
      assert.equal(value.message, "The sandbox has been reset: base")
      assert.deepEqual(await namesOf("run"), ["only"])
      await at("run").addPet(pet("again"))
      assert.deepEqual(await namesOf("run"), ["again", "only"])
    }
    assert.deepEqual(await namesOf("base"), ["only"])
  })

  test("names that are taken or unknown, and the service's own sandbox, are refused", async () => {
    await at("taken").listPets()
    const own = createClient({ ...api, ...sandbox }, { url: petstore.url, headers: { api_key: "special-key" } })
    await assert.rejects(at("taken").forkSandbox({ body: { name: "taken" } }), refusedAs("sandbox-exists"))
    await assert.rejects(at("taken").forkSandbox({ body: { name: "no/name" } }), refusedAs("invalid-body"))
    await assert.rejects(at("taken").resetSandbox({ query: { from: "unknown" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(own.forkSandbox({ body: { name: "copy" } }), refusedAs("named-sandbox-required"))
    await assert.rejects(own.resetSandbox({ query: { from: "taken" } }), refusedAs("named-sandbox-required"))
    await assert.rejects(own.advanceClock({ body: { advance: "P1D" } }), refusedAs("named-sandbox-required"))
    await assert.rejects(at("taken", "pro-key").forkSandbox({ body: { name: "copy" } }), refusedAs("forbidden"))
    await assert.rejects(at("copy", "none").getClock(), refusedAs("unauthorized"))
  })

  test("a fork counts against the bounds of its address, and a reset from another sandbox does not (slow)", async () => {
    await using small = await startPetstore({ sandboxes: { ofExemptMax: 2 } })
    const one = createSandboxClient({ url: small.url, name: "one" })
    const two = createSandboxClient({ url: small.url, name: "two" })
    await one.deleteFaults()
    await one.forkSandbox({ body: { name: "two" } })
    const kept = () => sandboxDirectoriesOf(small).length
    for (let n = 0; n < 3; n++) await two.resetSandbox({ query: { from: "one" } })
    await until(() => kept() === 3, "beside the template and two sandboxes there are replaced ones")
    const refused = await fetch(`${one.url}/api/v3/sandbox/forks`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json" },
      body: '{"name":"three"}',
    })
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [503, "unavailable"])
    assert.deepEqual([(await one.getClock()).status, (await two.getClock()).status, kept()], [200, 200, 3])
  })

  test("forks while the source is being written have a moment of it: each pet with its event (slow)", async () => {
    const busy = at("busy")
    await busy.listPets()
    const writing = Promise.all(Array.from({ length: 60 }, (_, n) => busy.addPet(pet(`busy ${n}`))))
    await Promise.all(Array.from({ length: 4 }, (_, n) => busy.forkSandbox({ body: { name: `moment-${n}` } })))
    await writing
    for (let n = 0; n < 4; n++) {
      const names = (await namesOf(`moment-${n}`)).filter((name) => name.startsWith("busy"))
      const { value: events } = await at(`moment-${n}`).listEvents({ query: { limit: 1000 } })
      assert.deepEqual(events.map(({ data }) => (data as { name: string }).name).toSorted(), names.toSorted())
    }
  })
})
