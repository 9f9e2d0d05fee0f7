import type { ConformChapter } from "../check.ts"
import { addPetFirst, claim, expectEqual, expectStatus, jsonOf, readPet, type Subject, unusedId } from "../subject.ts"

/** A pet of which another order is open cannot be ordered. */
async function placed(subject: Subject): Promise<{ petId: number; orderId: number }> {
  const { id: petId } = await addPetFirst(subject)
  const reply = await subject.send("POST", "/store/order", { body: { id: unusedId(), petId } })
  claim(reply.status === 200, "an order of a pet alone is refused")
  claim((await readPet(subject, petId)).status === "pending", "an order does not change the status of its pet")
  return { petId, orderId: jsonOf(reply).id }
}

export const orderChecks: ConformChapter = {
  name: "Orders",
  tasks: [
    {
      name: "reserves-the-pet",
      expects: "A pet with an open order cannot be ordered again.",
      source: "ours",
      async examine(subject) {
        const { petId } = await placed(subject)
        expectStatus(await subject.send("POST", "/store/order", { body: { id: unusedId(), petId } }), 409)
      },
    },
    {
      name: "gives-a-pet-to-one",
      expects: "Of ten orders of one pet at once, one succeeds.",
      source: "ours",
      async examine(subject) {
        await placed(subject)
        const { id: petId } = await addPetFirst(subject)
        const replies = await Promise.all(
          Array.from({ length: 10 }, () => subject.send("POST", "/store/order", { body: { id: unusedId(), petId } })),
        )
        const statuses = replies.map(({ status }) => status).sort()
        expectEqual(statuses, [200, ...Array(9).fill(409)], "the statuses")
      },
    },
    {
      name: "frees-the-pet",
      expects: "A pet whose open order is deleted is available.",
      source: "ours",
      async examine(subject) {
        const { petId, orderId } = await placed(subject)
        expectStatus(await subject.send("DELETE", `/store/order/${orderId}`), 200)
        expectEqual((await readPet(subject, petId)).status, "available", "the status")
      },
    },
    {
      name: "delivers-in-steps",
      expects: "PATCH approves and then delivers an order; its pet is sold.",
      source: "ours",
      async examine(subject) {
        const { petId, orderId } = await placed(subject)
        for (const status of ["approved", "delivered"])
          expectStatus(await subject.send("PATCH", `/store/order/${orderId}`, { body: { status } }), 200)
        expectEqual((await readPet(subject, petId)).status, "sold", "the status")
      },
    },
    {
      name: "ignores-a-status-of-the-client",
      expects: "An order that is sent as delivered and complete is placed.",
      source: "ours",
      async examine(subject) {
        await placed(subject)
        const { id: petId } = await addPetFirst(subject)
        const reply = await subject.send("POST", "/store/order", {
          body: { id: unusedId(), petId, status: "delivered", complete: true },
        })
        const { status, complete } = jsonOf(reply)
        expectEqual({ status, complete }, { status: "placed", complete: false }, "the order")
      },
    },
    {
      name: "refuses-an-unknown-pet",
      expects: "An order of a pet that does not exist, or of none of it, is 422.",
      source: "ours",
      async examine(subject) {
        const { petId } = await placed(subject)
        expectStatus(await subject.send("POST", "/store/order", { body: { id: unusedId(), petId: unusedId() } }), 422)
        expectStatus(await subject.send("POST", "/store/order", { body: { id: unusedId(), petId, quantity: 0 } }), 422)
      },
    },
  ],
}
