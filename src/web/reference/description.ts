import { compressed } from "../compressed.ts"
import type { Site } from "../site.ts"
import { toYaml } from "./yaml.ts"

const json = "application/json; charset=utf-8"
const yaml = "application/yaml; charset=utf-8"
const cacheControl = "public, max-age=300"

/** The files the OpenAPI document is served as, by name. It holds the address clients use, which is known once the service listens. */
export const openDescription = (describe: Site["describe"]) => ({
  "openapi.json": compressed(json, cacheControl, () => JSON.stringify(describe.whole())),
  "openapi.yaml": compressed(yaml, cacheControl, () => toYaml(describe.whole())),
  "openapi.classic.json": compressed(json, cacheControl, () => JSON.stringify(describe.classic())),
})
