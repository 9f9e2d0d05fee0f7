// Runs in a process of its own.
import assert from "node:assert/strict"
import { randomInt } from "node:crypto"
import { test } from "node:test"
import type { Pet } from "../../src/core/domain/pets/contract.ts"
import { examine } from "../harness/consistency.ts"
import { effort } from "../harness/effort.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

const rounds = effort(8, 1)
const writers = 12
const messagesMax = 400

/** A pet a client creates and its last acknowledged state; `changing` while a change has no response yet. */
type Expectation = { name: string; acknowledged: Pet | "deleted" | undefined; changing: boolean }

test(`killed ${rounds} times during writes, the service has everything it acknowledged and no partial change`, async () => {
  await using petstore = await spawnPetstore()
  for (let round = 0; round < rounds; round++) {
    const expectations = await writeUntilKilled(petstore, round)

    const { pets, created, contradictions } = examine(petstore.databaseFile)
    assert.deepEqual(contradictions, [])
    for (const { acknowledged, changing } of expectations) {
      if (acknowledged === undefined || acknowledged === "deleted" || changing) continue
      assert.deepEqual(pets.get(acknowledged.id), acknowledged)
      assert.equal(created.get(acknowledged.id), 1)
    }

    await petstore.restart()
    const unacknowledged = expectations.filter(({ acknowledged }) => acknowledged === undefined)
    await Promise.all(unacknowledged.map((expectation) => create(petstore, expectation)))
    assertOneEach(petstore, expectations)
  }
})

/** Runs many concurrent clients, kills the service at a random moment, and resolves with the acknowledgements. */
async function writeUntilKilled(petstore: Spawned, round: number): Promise<Expectation[]> {
  const expectations: Expectation[] = []
  let messages = randomInt(2, messagesMax)
  const counted = async (work: () => Promise<void>) => {
    const running = work()
    if (--messages === 0) void petstore.kill("SIGKILL")
    await running
    if (--messages === 0) void petstore.kill("SIGKILL")
  }

  async function write(writer: number): Promise<never> {
    for (let n = 0; ; n++) {
      const expectation: Expectation = { name: `${round}/${writer}/${n}`, acknowledged: undefined, changing: false }
      expectations.push(expectation)
      await counted(() => create(petstore, expectation))
      expectation.changing = n % 3 > 0
      if (n % 3 === 1) await counted(() => sell(petstore, expectation))
      if (n % 3 === 2) await counted(() => remove(petstore, expectation))
      expectation.changing = false
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
  for (const end of ends)
    assert.ok(
      end.status === "rejected" && /^(fetch failed|terminated)$/.test(end.reason.message),
      String(Object(end).reason),
    )
  assert.deepEqual(await petstore.ended, { code: null, signal: "SIGKILL" })
  return expectations
}

async function create(petstore: Spawned, expectation: Expectation): Promise<void> {
  const { name } = expectation
  const body = { name, photoUrls: [], category: { name: `category ${name}` }, tags: [{ name: "shared" }, { name }] }
  const headers = { "idempotency-key": name }
  expectation.acknowledged = (await petstore.as("special-key").addPet({ body }, { headers })).value
}

async function sell(petstore: Spawned, expectation: Expectation): Promise<void> {
  const params = { petId: (expectation.acknowledged as Pet).id }
  const body = { status: "sold", tags: [{ name: `sold ${expectation.name}` }] } as const
  expectation.acknowledged = (
    await petstore.as("special-key").patchPet({ params, body: { ...body, tags: [...body.tags] } })
  ).value
}

async function remove(petstore: Spawned, expectation: Expectation): Promise<void> {
  await petstore.as("special-key").deletePet({ params: { petId: (expectation.acknowledged as Pet).id } })
  expectation.acknowledged = "deleted"
}

/** Each expectation has exactly one pet, or none when it was deleted or may have been. */
function assertOneEach(petstore: Spawned, expectations: Expectation[]): void {
  const { pets, created, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  const byName = Map.groupBy(pets.values(), ({ name }) => name)
  for (const { name, acknowledged, changing } of expectations) {
    const count = byName.get(name)?.length ?? 0
    const expected = acknowledged === "deleted" ? 0 : 1
    assert.ok(count === expected || (changing && count === 0), `${count} pets named ${name}`)
  }
  for (const [id, times] of created) assert.equal(times, 1, `pet ${id} has ${times} creation events`)
}
