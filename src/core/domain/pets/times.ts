import { timestamp } from "../../kernel/clock.ts"
import type { Pet } from "./contract.ts"
import { petEventData } from "./rules.ts"
import type { PetTimes } from "./store.ts"

/** The data of an event about a pet that existed before. */
export const petChangeData = (pet: Pet, times: PetTimes) => ({ ...petEventData(pet), ...formatTimes(times) })

/** Times as documents show them. */
export const formatTimes = ({ createdAt, updatedAt }: PetTimes) => ({
  ...(createdAt !== undefined && { createdAt: timestamp(createdAt) }),
  ...(updatedAt !== undefined && { updatedAt: timestamp(updatedAt) }),
})
