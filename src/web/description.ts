import type { HttpResponse } from "../kernel/http-response.ts"
import { compress } from "./compressed.ts"
import type { Site } from "./site.ts"

/** Serves the OpenAPI document. */
export function openDescription({ description }: Pick<Site, "description">) {
  const compressed = compress("application/json; charset=utf-8", "public, max-age=300", JSON.stringify(description))
  return async (acceptsGzip: boolean): Promise<HttpResponse> => (await compressed)(acceptsGzip)
}
