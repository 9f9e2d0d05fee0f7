import assert from "node:assert/strict"
import { randomInt } from "node:crypto"
import { test } from "node:test"
import type { Pet } from "../../src/domain/pets/contract.ts"
import { examine } from "../harness/consistency.ts"
import { effort } from "../harness/effort.ts"
import { type Spawned, spawnPetstore } from "../harness/spawn.ts"

const rounds = effort(30, 1)
const writers = 12
const messagesMax = 400

/** A requested pet and its acknowledged state; `changing` while a change has no response yet. */
type Wish = { name: string; acknowledged: Pet | "deleted" | undefined; changing: boolean }

test(`killed ${rounds} times in the middle of writes, the service has everything acknowledged and no partial change`, async () => {
  await using petstore = await spawnPetstore()
  for (let round = 0; round < rounds; round++) {
    const wishes = await wishUntilKilled(petstore, round)

    const { pets, created, contradictions } = examine(petstore.databaseFile)
    assert.deepEqual(contradictions, [])
    for (const { acknowledged, changing } of wishes) {
      if (acknowledged === undefined || acknowledged === "deleted" || changing) continue
      assert.deepEqual(pets.get(acknowledged.id), acknowledged)
      assert.equal(created.get(acknowledged.id), 1)
    }

    await petstore.restart()
    const unanswered = wishes.filter(({ acknowledged }) => acknowledged === undefined)
    await Promise.all(unanswered.map((wish) => create(petstore, wish)))
    assertOneEach(petstore, wishes)
  }
})

/** Runs many writing clients, kills the service at a random moment, and resolves with what they know by then. */
async function wishUntilKilled(petstore: Spawned, round: number): Promise<Wish[]> {
  const wishes: Wish[] = []
  let messages = randomInt(2, messagesMax)
  const counted = async (work: () => Promise<void>) => {
    const answer = work()
    if (--messages === 0) void petstore.kill("SIGKILL")
    await answer
    if (--messages === 0) void petstore.kill("SIGKILL")
  }

  async function write(writer: number): Promise<never> {
    for (let n = 0; ; n++) {
      const wish: Wish = { name: `${round}/${writer}/${n}`, acknowledged: undefined, changing: false }
      wishes.push(wish)
      await counted(() => create(petstore, wish))
      wish.changing = n % 3 > 0
      if (n % 3 === 1) await counted(() => sell(petstore, wish))
      if (n % 3 === 2) await counted(() => remove(petstore, wish))
      wish.changing = false
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
  for (const end of ends)
    assert.ok(
      end.status === "rejected" && /^(fetch failed|terminated)$/.test(end.reason.message),
      String(Object(end).reason),
    )
  assert.deepEqual(await petstore.ended, { code: null, signal: "SIGKILL" })
  return wishes
}

async function create(petstore: Spawned, wish: Wish): Promise<void> {
  const { name } = wish
  const body = { name, photoUrls: [], category: { name: `category ${name}` }, tags: [{ name: "shared" }, { name }] }
  const headers = { "idempotency-key": name }
  wish.acknowledged = (await petstore.as("special-key").addPet({ body, headers })).value
}

async function sell(petstore: Spawned, wish: Wish): Promise<void> {
  const params = { petId: (wish.acknowledged as Pet).id }
  const body = { status: "sold", tags: [{ name: `sold ${wish.name}` }] } as const
  wish.acknowledged = (
    await petstore.as("special-key").patchPet({ params, body: { ...body, tags: [...body.tags] } })
  ).value
}

async function remove(petstore: Spawned, wish: Wish): Promise<void> {
  await petstore.as("special-key").deletePet({ params: { petId: (wish.acknowledged as Pet).id } })
  wish.acknowledged = "deleted"
}

/** Every requested pet exists exactly once, or not at all where it was or may have been deleted. */
function assertOneEach(petstore: Spawned, wishes: Wish[]): void {
  const { pets, created, contradictions } = examine(petstore.databaseFile)
  assert.deepEqual(contradictions, [])
  const byName = Map.groupBy(pets.values(), ({ name }) => name)
  for (const { name, acknowledged, changing } of wishes) {
    const found = byName.get(name)?.length ?? 0
    const wanted = acknowledged === "deleted" ? 0 : 1
    assert.ok(found === wanted || (changing && found === 0), `${found} pets named ${name}`)
  }
  for (const [id, times] of created) assert.equal(times, 1, `pet ${id} was announced ${times} times`)
}
