import { type Command, isOn, type Service, UsageError } from "../command.ts"

type Made = { petId: number; orderId: number }
type Step = (client: Service["client"], made: Made) => Promise<string>

const createPet: Step = async (client, made) => {
  const { value } = await client.addPet({ body: { name: "Triggered", photoUrls: [] } })
  made.petId = value.id
  return `created pet ${value.id}`
}
const renamePet: Step = async (client, { petId }) => {
  await client.patchPet({ params: { petId }, body: { name: "Triggered again" } })
  return `renamed pet ${petId}`
}
const deletePet: Step = async (client, { petId }) => {
  await client.deletePet({ params: { petId } })
  return `deleted pet ${petId}`
}
const placeOrder: Step = async (client, made) => {
  const { value } = await client.placeOrder({ body: { petId: made.petId } })
  made.orderId = value.id
  return `placed order ${value.id} for pet ${made.petId}`
}
const moveTo =
  (status: "approved" | "delivered"): Step =>
  async (client, { orderId }) => {
    await client.patchOrder({ params: { orderId }, body: { status } })
    return `${status} order ${orderId}`
  }
const cancelOrder: Step = async (client, { orderId }) => {
  await client.deleteOrder({ params: { orderId } })
  return `cancelled order ${orderId}`
}

const ordered = [createPet, placeOrder]
const recipes: Record<string, readonly Step[]> = {
  "pet.created": [createPet],
  "pet.updated": [createPet, renamePet],
  "pet.deleted": [createPet, deletePet],
  "order.placed": ordered,
  "order.approved": [...ordered, moveTo("approved")],
  "order.delivered": [...ordered, moveTo("approved"), moveTo("delivered")],
  "order.cancelled": [...ordered, cancelOrder],
}

const kinds = Object.keys(recipes)

export const trigger: Command = {
  name: "trigger",
  summary: "Make an event happen, by doing what it tells of",
  description:
    "Creates a pet named “Triggered” and does with it what the event tells of, through the same operations as any client. The " +
    "pet stays unless the event is its deletion. On another machine than this one it needs --force, because it changes what " +
    "is stored there.",
  arguments: [{ name: "event", meaning: "The kind of event", choices: kinds }],
  flags: [{ name: "force", meaning: "Also in a service on another machine" }],

  async run(given, world) {
    const steps = recipes[given.arguments.event as string]
    if (!steps)
      throw new UsageError(`there is no event ${JSON.stringify(given.arguments.event)} to trigger: ${kinds.join(", ")}`)
    if (!world.service.isLocal && !isOn(given, "force"))
      throw new UsageError(`${world.service.url} is another machine; --force changes what is stored there`)
    const made: Made = { petId: 0, orderId: 0 }
    for (const step of steps) world.terminal.out(`${await step(world.service.client, made)}\n`)
    return 0
  },
}
