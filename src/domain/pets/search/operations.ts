import type { Operations } from "../../context.ts"
import type { petSearch } from "./contract.ts"
import { listPets } from "./list.ts"

export const petSearchOperations: Operations<typeof petSearch> = { listPets }
