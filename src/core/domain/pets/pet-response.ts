import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet } from "./contract.ts"
import type { StoredPet } from "./store.ts"

export const petResponse = ({ json, etag }: StoredPet) => new JsonResponse(json, { etag })

/** The response to an update that changes nothing: nothing is stored and no event emitted. */
export const unchangedPet = async (tx: Repositories, { id }: Pet) => petResponse((await tx.pets.read(id)) as StoredPet)
