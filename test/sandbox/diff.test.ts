import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { usePetstore } from "../harness/use.ts"

describe("the difference of named sandboxes", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const at = (name: string) => createSandboxClient({ url: petstore.url, name })
  const petsOf = (name: string) =>
    createClient(api, { url: `${petstore.url}/s/${name}`, headers: { api_key: "special-key" } })
  const rex = { body: { name: "Rex", photoUrls: [] } }

  test("petstore sandbox diff prints a line for each change, and exits as diff does", async () => {
    await at("told").resetSandbox({ query: { seed: "classic" } })
    await at("told").forkSandbox({ body: { name: "told-copy" } })
    const run = (...argv: string[]) => petstoreCommand(petstore.url, ["sandbox", "diff", ...argv])
    assert.deepEqual(await run("told-copy"), { code: 0, out: "", err: "Compared with told: no difference.\n" })
    const pets = petsOf("told-copy")
    await pets.addPet(rex)
    await pets.deletePet({ params: { petId: 9 } })
    await pets.updatePet({ body: { id: 1, name: "Tom\u001b[2J", photoUrls: [] } })
    const { code, out, err } = await run("told-copy", "told")
    assert.equal(code, 1)
    assert.equal(err, "Compared with told: 1 pet added, 1 removed, 1 changed.\n")
    assert.match(out, /^change +kind +id +member +before +after\n/)
    assert.match(out, /^changed +pet +1 +name +"Cat 1" +"Tom\\u001b\[2J"$/m)
    assert.match(out, /^changed +pet +1 +tags +\[\{"id":1,"name":"tag1"\}.+ +\[\]$/m)
    assert.match(out, /^removed +pet +9 +Lion 3$/m)
    assert.match(out, /^added +pet +11 +Rex$/m)
    const reverse = await run("told", "told-copy", "--limit", "0", "--json")
    const { counts, changes, isComplete } = JSON.parse(reverse.out)
    assert.deepEqual(
      [reverse.code, counts.pet, changes, isComplete],
      [1, { added: 1, removed: 1, changed: 1 }, [], false],
    )
    assert.equal((await run()).code, 2)
    assert.equal((await run("told", "a", "b")).code, 2)
    assert.match((await run("nowhere")).err, /There is no sandbox nowhere/)
  })

  test("more pets than are read at once are compared, and the response has at most a mebibyte", async () => {
    await at("many").resetSandbox({ query: { seed: "empty" } })
    const photoUrls = Array.from({ length: 50 }, (_, n) => `/${n}${"x".repeat(36)}`)
    const drafts = Array.from({ length: 100 }, (_, n) => ({ name: `pet ${n}`, photoUrls }))
    await at("many").forkSandbox({ body: { name: "many-copy" } })
    for (let n = 0; n < 6; n++) await petsOf("many-copy").importPets({ body: drafts })
    await petsOf("many").importPets({ body: drafts.slice(0, 1) })
    const { counts, changes, isComplete } = await at("many-copy").diff()
    assert.deepEqual(counts.pet, { added: 599, removed: 0, changed: 0 })
    assert.equal(isComplete, false)
    assert.ok(changes.length > 10 && JSON.stringify(changes).length <= 1024 * 1024)
    const { counts: none } = await at("many-copy").diff("many-copy")
    assert.deepEqual(none.pet, { added: 0, removed: 0, changed: 0 })
  })

  test("a sandbox that changes, is reset or deleted meanwhile is compared as a whole or not at all", async () => {
    const sandbox = at("busy")
    await sandbox.resetSandbox({ query: { seed: "shelter" } })
    await sandbox.forkSandbox({ body: { name: "busy-copy" } })
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 8 }, () => at("busy-copy").diff()),
      ...Array.from({ length: 8 }, () => petsOf("busy-copy").addPet(rex)),
      at("busy-copy").resetSandbox({ query: { seed: "empty" } }),
    ])
    for (const outcome of outcomes.slice(0, 8))
      if (outcome.status === "rejected") assert.equal(outcome.reason.status, 503)
      else {
        const { seed, counts } = outcome.value as Awaited<ReturnType<typeof sandbox.diff>>
        const gone = counts.pet.removed + counts.pet.changed
        assert.ok(gone === 0 || (seed === undefined && gone === 300), `${seed}: ${gone}`)
      }
    const own = createSandboxClient({ url: petstore.url })
    const [compared] = await Promise.all([
      own.diffSandbox({ params: { name: "busy" }, query: { with: "busy-copy" } }),
      own.deleteSandbox({ params: { name: "busy-copy" } }),
    ])
    assert.equal(compared.value.counts.pet.added + compared.value.counts.pet.changed, 300)
  })
})
