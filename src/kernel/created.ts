import { json } from "./json/json.ts"
import { JsonResponse } from "./json/json-response.ts"
import { basePath } from "./network/path.ts"

/** The 201 for a resource that was made at this path of the interface. */
export const created = <T>(value: T, path: string): JsonResponse<T> =>
  new JsonResponse(json(value), { headers: { location: basePath + path } })
