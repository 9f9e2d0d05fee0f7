import { JsonResponse } from "../../kernel/json-response.ts"
import type { StoredPet } from "./store.ts"

/** A stored pet, sent as it is stored, with its entity tag. */
export const petResponse = ({ json, etag }: StoredPet) => new JsonResponse(json, { etag })
