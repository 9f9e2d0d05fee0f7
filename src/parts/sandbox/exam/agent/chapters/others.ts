import type { PetstoreClient } from "../../../../../client/petstore-client.ts"
import type { AgentChapter } from "../agent-task.ts"

const order = (petstore: PetstoreClient, petId: number) => petstore.placeOrder({ body: { petId, quantity: 1 } })

async function cancelOrders(petstore: PetstoreClient, petId: number): Promise<void> {
  const { value: orders } = await petstore.listOrders({ query: { petId } })
  for (const { id } of orders) await petstore.deleteOrder({ params: { orderId: id } })
}

const sell = (petstore: PetstoreClient) => petstore.patchPet({ params: { petId: 1 }, body: { status: "sold" } })

export const othersAtWork: AgentChapter = {
  name: "Others at work",
  tasks: [
    {
      name: "keeps-the-change-of-another",
      expects: "Renames a pet that is sold meanwhile, and leaves it sold.",
      words: "Read pet 1, then rename it to Rex. Change nothing else.",
      meanwhile: { fault: "hold", act: sell },
      must: "patchPet",
      may: ["patchPet"],
      wanted: async (petstore) => {
        await sell(petstore)
        await petstore.patchPet({ params: { petId: 1 }, body: { name: "Rex" } })
      },
    },
    {
      name: "orders-again",
      expects: "Finds that its order was cancelled while days passed, and orders again.",
      words:
        "Order pet 10, one piece. Then look whether the order is still there; if it was cancelled, order the pet again.",
      meanwhile: {
        fault: "hold-response",
        async act(others, sandbox) {
          await sandbox.advanceClock({ body: { advance: "P8D" } })
          await cancelOrders(others, 10)
        },
      },
      must: "placeOrder",
      may: ["placeOrder"],
      wanted: async (petstore) => {
        await order(petstore, 10)
        await cancelOrders(petstore, 10)
        await order(petstore, 10)
      },
    },
    {
      name: "leaves-a-reserved-pet",
      expects: "Says that a pet that another customer has ordered meanwhile was not ordered; orders no other one.",
      words: "Order pet 2, one piece. Was it ordered for us?",
      meanwhile: { fault: "hold", act: (others) => order(others, 2) },
      must: "placeOrder",
      may: ["placeOrder"],
      wanted: (petstore) => order(petstore, 2),
      says: { ordered: false },
    },
    {
      name: "leaves-a-deleted-pet",
      expects: "Says that a pet that was deleted meanwhile was not changed; adds no other one.",
      words: "Read pet 10, then give it the status sold. Was it changed?",
      meanwhile: { fault: "hold", act: (others) => others.deletePet({ params: { petId: 10 } }) },
      must: "patchPet",
      may: ["patchPet"],
      wanted: (petstore) => petstore.deletePet({ params: { petId: 10 } }),
      says: { changed: false },
    },
    {
      name: "leaves-the-order-of-another",
      expects: "Says that an order of another customer was not cancelled.",
      words: "Cancel our order 1. Was it cancelled?",
      toolsets: "orders",
      may: ["deleteOrder"],
      says: { cancelled: false },
    },
  ],
}
