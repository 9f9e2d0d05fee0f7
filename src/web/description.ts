import type { HttpResponse } from "../kernel/network/http-response.ts"
import { compress } from "./compressed.ts"
import type { Site } from "./site.ts"
import { toYaml } from "./yaml.ts"

const json = "application/json; charset=utf-8"

/** The files the OpenAPI document is served as, by name. */
export const openDescription = (describe: Site["describe"]) => ({
  "openapi.json": serve(json, () => JSON.stringify(describe.whole())),
  "openapi.yaml": serve("application/yaml; charset=utf-8", () => toYaml(describe.whole())),
  "openapi.classic.json": serve(json, () => JSON.stringify(describe.classic())),
})

/** Made when it is first asked for: the document holds the address clients use, which is known once the service listens. */
function serve(contentType: string, write: () => string): (acceptsGzip: boolean) => Promise<HttpResponse> {
  let compressed: ReturnType<typeof compress> | undefined
  return async (acceptsGzip) => {
    compressed ??= compress(contentType, "public, max-age=300", write())
    return (await compressed)(acceptsGzip)
  }
}
