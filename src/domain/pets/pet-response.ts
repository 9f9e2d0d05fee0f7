import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet } from "./contract.ts"
import type { StoredPet } from "./store.ts"

/** A stored pet, sent as it is stored, with its entity tag. */
export const petResponse = ({ json, etag }: StoredPet) => new JsonResponse(json, { etag })

/** The pet as it is, for a change that asks for nothing: nothing is stored and nothing announced. */
export const unchangedPet = async (tx: Repositories, { id }: Pet) => petResponse((await tx.pets.read(id)) as StoredPet)
