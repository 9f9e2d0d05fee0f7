import { json } from "./json.ts"
import { JsonResponse } from "./json-response.ts"
import { basePath } from "./path.ts"

/** The 201 for a resource that was made at this path of the interface. */
export const created = <T>(value: T, path: string): JsonResponse<T> =>
  new JsonResponse(json(value), { headers: { location: basePath + path } })
