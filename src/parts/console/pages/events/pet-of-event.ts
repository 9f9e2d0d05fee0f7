import { type EventKind, eventKinds } from "../../../../core/domain/events/contract.ts"

/** Whether an event is about the pet with this id: about the pet itself or one of its orders. */
export function isAboutPet({ event, data }: { event: EventKind; data: object }, petId: number): boolean {
  const kind = eventKinds[event]
  return "pet" in kind && (data as Record<string, unknown>)[kind.pet] === petId
}
