import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { CannotStart } from "../../src/core/kernel/cannot-start.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { createPetstoreClient } from "../../src/public/client.ts"
import { createPetstore } from "../../src/public/petstore.ts"
import { verifyWebhook } from "../../src/public/webhooks.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { makeImage } from "../harness/images.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { use } from "../harness/use.ts"

const storeAt = (url: string, apiKey = "special-key") => createPetstoreClient({ url, apiKey, retries: 0 })
const namesAt = async (url: string) =>
  (await storeAt(url).listPets({ query: { sort: "id" } })).value.map(({ name }) => name)

describe("the initial data of a sandbox", () => {
  const directory = temporaryDirectory()
  after(() => directory[Symbol.dispose]())

  function write(name: string, text: string): string {
    const file = join(directory.path, name)
    writeFileSync(file, text)
    return file
  }
  const start = (file: string, env: Record<string, string> = {}) =>
    startPetstore({ env: { PETSTORE_SEED: file, ...env } })
  const refused = (file: string, message: RegExp, env?: Record<string, string>) =>
    assert.rejects(start(file, env), (error: Error) => error instanceof CannotStart && message.test(error.message))

  for (const [name, text] of Object.entries({
    "pets.ndjson": '{"id":7,"name":"Rex","photoUrls":[],"tags":[{"name":"old"}]}\n\n{"name":"Zoë 🐢"}\n',
    "pets.csv": "id,name,tags\n7,Rex,old\n,Zoë 🐢,\n",
    "db.json": '{"pets":[{"id":7,"name":"Rex","tags":[{"name":"old"}]},{"name":"Zoë 🐢"}],"people":[]}',
  }))
    test(`${name}: its pets, with the usual keys and users, at the start and after a reset, without events (slow)`, async () => {
      await using petstore = await start(write(name, text))
      const store = storeAt(petstore.url)
      const ours = async () => {
        const { value } = await store.listPets({ query: { sort: "id" } })
        return value.map((pet) => [pet.id === 7, pet.name, pet.tags?.map((tag) => tag.name)])
      }
      const expected = [
        [true, "Rex", ["old"]],
        [false, "Zoë 🐢", []],
      ]
      const sorted = async () => (await ours()).toSorted(([a], [b]) => Number(b) - Number(a))
      assert.deepEqual(await sorted(), expected)
      assert.deepEqual((await store.listEvents()).value, [])
      assert.equal((await store.getUserByName({ params: { username: "user1" } })).value.username, "user1")
      assert.deepEqual((await store.getInventory()).value, { available: 2, pending: 0, sold: 0 })
      await store.addPet({ body: { name: "more", photoUrls: [] } })
      const sandbox = createSandboxClient({ url: petstore.url })
      await sandbox.resetSandbox()
      assert.deepEqual(await sorted(), expected)
      await sandbox.resetSandbox({ query: { seed: "classic" } })
      assert.equal((await namesAt(petstore.url)).length, 10)
      await sandbox.resetSandbox({ query: { seed: "initial" } })
      assert.deepEqual(await sorted(), expected)
    })

  test("a seed by its name (slow)", async () => {
    for (const [seed, count] of Object.entries({ classic: 10, empty: 0, shelter: 300 })) {
      await using petstore = await start(seed)
      const { value } = await storeAt(petstore.url).getInventory()
      assert.equal(value.available + value.pending + value.sold, count, seed)
    }
  })

  test("a file that cannot be used says why, with the line, and starts nothing", async () => {
    await refused(
      join(directory.path, "absent.csv"),
      /PETSTORE_SEED: .*absent\.csv cannot be read: there is no such file/,
    )
    await refused(directory.path, /cannot be read: it is a directory/)
    await refused(write("empty.csv", ""), /contains no pets; PETSTORE_SEED=empty starts without pets/)
    await refused(
      write("broken.ndjson", '{"name":"Rex"}\n{"name":\n{"name":"Ada"}\n'),
      /broken\.ndjson, line 2: .*JSON/,
    )
    await refused(write("wrong.ndjson", '{"name":"Rex"}\n{"name":""}\n'), /wrong\.ndjson, line 2: name/)
    await refused(write("twice.csv", "id,name\n7,Rex\n8,Ada\n7,Bo\n"), /line 4: The id 7 is that of line 2 too/)
    await refused(write("other.json", '{"people":[{"id":1}]}'), /other\.json/)
    await refused("shelters", /must be classic or empty or shelter or a path of a file/)
    await refused(write("cut.petstore", '{"data":{"format":"petstore-sandbox","version":1}}'), /schema is required/)
    const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
    await refused("empty", /PETSTORE_SEED is for the sandbox/, production)
  })

  test("createPetstore takes pets, or a file (slow)", async () => {
    await using petstore = await createPetstore({
      seed: [
        { name: "Rex", photoUrls: [] },
        { name: "Ada", photoUrls: [] },
      ],
    })
    assert.deepEqual(await namesAt(petstore.url), ["Rex", "Ada"])
    await using again = await createPetstore({ seed: write("one.csv", "name\nBo\n") })
    assert.deepEqual(await namesAt(again.url), ["Bo"])
    await assert.rejects(createPetstore({ seed: [] }), /contains no pets/)
  })

  describe("a named sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
    const receiver = use(startReceiver)

    test("has the initial data too, and at a start date the time of it", async () => {
      await using petstore = await start(write("two.csv", "name\nRex\nAda\n"))
      assert.deepEqual(await namesAt(`${petstore.url}/s/one`), ["Rex", "Ada"])
      const body = { name: "dated", start: "2020-01-01T00:00:00Z", freeze: true }
      await createSandboxClient({ url: petstore.url }).createSandbox({ body })
      const { value } = await storeAt(`${petstore.url}/s/dated`).listPetRecords()
      assert.deepEqual(
        value.map(({ name, createdAt }) => [name, createdAt]),
        ["Ada", "Rex"].map((name) => [name, "2020-01-01T00:00:00.000Z"]),
      )
    })

    /** A sandbox file with a key, an image and a webhook of its own, and the secrets of key and webhook. */
    async function prepareFile() {
      await using petstore = await startPetstore()
      const service = createSandboxClient({ url: petstore.url })
      await service.createSandbox({ body: { name: "saved", start: "2020-01-01T00:00:00Z", freeze: true } })
      const store = storeAt(`${petstore.url}/s/saved`)
      const { value: pet } = await store.addPet({ body: { name: "Zoë", photoUrls: ["https://a.example/1"] } })
      const upload = new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" })
      await store.uploadFile({ params: { petId: pet.id }, upload })
      const { value: key } = await store.createKey({ body: { name: "own", scopes: ["read:pets"] } })
      const { value: webhook } = await store.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
      const { text } = await service.exportSandbox({ params: { name: "saved" } })
      return { file: write("saved.petstore", text), text, key: key.secret, webhook }
    }

    test("a sandbox file becomes the service's own sandbox: keys, images, and secrets under the service's own key (slow)", async () => {
      const { file, key, webhook } = await prepareFile()
      await using petstore = await start(file)
      const store = storeAt(petstore.url)
      const check = async () => {
        const { value: pet } = await storeAt(petstore.url, key).getPetById({ params: { petId: 11 } })
        const [, photo = ""] = pet.photoUrls
        assert.ok(photo.startsWith(`${petstore.url}/images/`), photo)
        assert.equal((await fetch(photo)).headers.get("content-type"), "image/png")
        const before = receiver.received.length
        await store.testWebhook({ params: { webhookId: webhook.id } })
        await petstore.worker.tick()
        await receiver.until(({ length }) => length > before)
        const message = receiver.received[before] as (typeof receiver.received)[number]
        const now = () => Number(message.headers["webhook-timestamp"]) * 1000
        const sent = await verifyWebhook(message, { secret: webhook.secret, now })
        assert.equal(sent.event.event, "webhook.test")
      }
      await check()
      await store.deletePet({ params: { petId: 11 } })
      await createSandboxClient({ url: petstore.url }).resetSandbox()
      await check()
      await createSandboxClient({ url: petstore.url }).resetSandbox({ query: { seed: "classic" } })
      assert.equal((await namesAt(petstore.url)).length, 10)
    })

    test("a sandbox file becomes each named sandbox, with its clock, also after a reset (slow)", async () => {
      const { file, key } = await prepareFile()
      await using petstore = await start(file)
      const named = createSandboxClient({ url: petstore.url, name: "one" })
      for (let n = 0; n < 2; n++) {
        const { value: pet } = await storeAt(named.url).getPetById({ params: { petId: 11 } })
        assert.equal(pet.name, "Zoë")
        assert.equal((await fetch(pet.photoUrls[1] as string)).status, 200)
        assert.ok(pet.photoUrls[1]?.startsWith(`${petstore.url}/s/one/images/`))
        assert.equal((await storeAt(named.url, key).getPetById({ params: { petId: 11 } })).status, 200)
        const { value: clock } = await named.getClock()
        assert.deepEqual([clock.time, clock.frozen], ["2020-01-01T00:00:00.000Z", true])
        await storeAt(named.url).addPet({ body: { name: "more", photoUrls: [] } })
        await named.resetSandbox()
      }
      const other = createSandboxClient({ url: petstore.url }).createSandbox({ body: { name: "two", seed: "empty" } })
      assert.equal((await other).value.clock.frozen, false)
      assert.deepEqual(await namesAt(`${petstore.url}/s/two`), [])
    })

    test("a sandbox file that no sandbox can have is refused with its row (slow)", async () => {
      const { text } = await prepareFile()
      const wrong = (from: string, to: string) => write("wrong.petstore", text.replaceAll(from, to))
      await refused(
        wrong('"Zoë\\"', '"\\"'),
        /wrong\.petstore cannot be read: data\.tables\.pets\.11 must not be empty/,
      )
      const dangling = text.replace(/("pet_tags":\[\n.*\n)/, "$1[999,1,0],\n")
      await refused(write("dangling.petstore", dangling), /cannot be stored|tables\.pet_tags/)
      await refused(wrong('"schema":', '"schema":1'), /use the version that made the file/)
      await refused(write("cut.petstore", text.slice(0, 5_000)), /cut\.petstore cannot be read/)
    })
  })
})
