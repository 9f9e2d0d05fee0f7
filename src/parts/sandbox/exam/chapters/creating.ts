import { expect, Unclaimed } from "../../../../examiner/verdict.ts"
import {
  type Bench,
  type Chapter,
  type Evidence,
  type ExamStep,
  expectEventually,
  failing,
  failure,
  petOf,
  practice,
  requestsFor,
} from "../task.ts"

type Pet = { id?: number; name?: string; status?: string }

const idempotencyKeyDraft = "Draft ietf-httpapi-idempotency-key-header"
const rex = { name: "Rex", photoUrls: [] }

async function pets(bench: Bench, name: string): Promise<Pet[]> {
  return (await bench.petstore.listPets({ query: { limit: 100 } })).value.filter((pet) => pet.name === name)
}

const addingRex = (before?: ExamStep["before"]): ExamStep => ({
  ...(before && { before }),
  action: "addPet",
  input: { pet: rex },
})

const countRex = ({ pets }: Evidence): number => pets.filter(({ name }) => name === "Rex").length

const keysOf = (evidence: Pick<Evidence, "requests">): (string | undefined)[] =>
  requestsFor(evidence, "addPet").map(({ request }) => request.headers["idempotency-key"])

/** A client that sends no key does not claim what it is for. */
function claimKey(evidence: Pick<Evidence, "requests">): void {
  const [first, isSent] = [requestsFor(evidence, "addPet")[0], keysOf(evidence)[0] !== undefined]
  if (first && !isSent) throw new Unclaimed("no Idempotency-Key was sent")
}

export const creating: Chapter = {
  name: "Creation",
  tasks: [
    {
      name: "creates-once",
      expects:
        "A creation whose response is lost is repeated with the same Idempotency-Key, or not at all: there is one pet.",
      source: "RFC 9110 section 9.2.2",
      steps: [addingRex(failure("addPet", "fault=lose", 1))],
      isOverWhenQuiet: true,
      judge(evidence) {
        const [count, keys] = [countRex(evidence), keysOf(evidence)]
        expect(count <= 1, `there are ${count} pets; the keys were ${JSON.stringify(keys)}`)
        expectEventually(count === 1, "there is no pet")
        expect(new Set(keys).size === 1, `the keys were ${JSON.stringify(keys)}`)
      },
    },
    {
      name: "survives-a-lost-response",
      expects:
        "A creation with an Idempotency-Key whose response is lost is repeated, and has the created pet as its result.",
      source: idempotencyKeyDraft,
      needs: "retries",
      async examine(bench) {
        await failing(bench, "addPet", "fault=lose", 1)
        const acted = await bench.ask("addPet", { pet: rex })
        claimKey(acted)
        const added = petOf(acted)
        const [pet, another] = await pets(bench, "Rex")
        expect(another === undefined, "there are two pets")
        expect(pet?.id === added.id, `the result is ${JSON.stringify(added)}, the pet ${JSON.stringify(pet)}`)
      },
    },
    {
      name: "survives-an-unavailable-service",
      expects: "A creation with an Idempotency-Key that is 503 is repeated with the same key.",
      source: practice,
      needs: "retries",
      steps: [addingRex(failure("addPet", "code=503; retry-after=1", 1))],
      judgeSaid(acted) {
        claimKey(acted)
        petOf(acted)
      },
      judge(evidence) {
        claimKey(evidence)
        const [first, second, ...more] = keysOf(evidence)
        const observed = `the keys were ${JSON.stringify([first, second, ...more])}`
        expectEventually(second !== undefined, observed)
        expect(first === second, observed)
      },
    },
    {
      name: "takes-another-key-for-another-pet",
      expects: "Two creations with the same body have two Idempotency-Keys, and are two pets.",
      source: idempotencyKeyDraft,
      needs: "keys",
      steps: [addingRex(), addingRex()],
      judgeSaid: petOf,
      judge(evidence) {
        claimKey(evidence)
        const count = countRex(evidence)
        expect(count <= 2, `there are ${count} pets`)
        expectEventually(count === 2, `there are ${count} pets`)
      },
    },
  ],
}

export const changing: Chapter = {
  name: "Versions",
  tasks: [
    {
      name: "sends-if-match",
      expects: "A change of what was read is sent with If-Match and its ETag.",
      source: "RFC 9110 section 13.1.1",
      steps: [{ action: "renamePet", input: { id: 1, name: "Rex" } }],
      judgeSaid: petOf,
      judge(evidence) {
        const [change] = requestsFor(evidence, "updatePet")
        expectEventually(change !== undefined, "no PUT /pet was sent")
        expect(change.request.headers["if-match"] !== undefined, "the request has no If-Match")
        const pet = evidence.pets.find(({ id }) => id === 1)
        expect(pet?.name === "Rex" && pet.tags?.length === 2, `the pet is ${JSON.stringify(pet)}`)
      },
    },
    {
      name: "keeps-the-change-of-another",
      expects:
        "After a 412 the pet is read again and the change repeated, or the caller learns of it; another's change remains.",
      source: "RFC 9110 section 13.1.1",
      async examine(bench) {
        await failing(bench, "getPetById", "wait=1", 1)
        const acting = bench.ask("renamePet", { id: 1, name: "Rex" })
        await untilRead(bench, acting)
        await bench.petstore.patchPet({ params: { petId: 1 }, body: { status: "sold" } })
        const acted = await acting
        const { value: pet } = await bench.petstore.getPetById({ params: { petId: 1 } })
        expect(pet.status === "sold", `the change of another is lost: ${JSON.stringify(pet)}`)
        const isRenamed = pet.name === "Rex"
        expect(
          isRenamed === "result" in acted.said,
          `the client says ${JSON.stringify(acted.said)}, the name is ${pet.name}`,
        )
      },
    },
  ],
}

/** Resolves when the read that is delayed has its response, which the client does not have yet, or when the action is over. */
async function untilRead({ sandbox }: Bench, acting: Promise<unknown>): Promise<void> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  acting.then(end, end)
  while (!isOver && !(await sandbox.getFaults()).value.rules.some(({ count }) => count > 0));
}
