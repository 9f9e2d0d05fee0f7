import { basePath } from "../../kernel/network/path.ts"
import { compressed } from "../compressed.ts"
import type { Site, SitePage } from "../site.ts"
import { toYaml } from "./yaml.ts"

/** The OpenAPI documents below the base path, generated at the first request: they contain the public URL. */
export const descriptionPages = (describe: Site["describe"]): SitePage[] => [
  page("openapi.json", "json", () => JSON.stringify(describe.whole())),
  page("openapi.yaml", "yaml", () => toYaml(describe.whole())),
  page("openapi.classic.json", "json", () => JSON.stringify(describe.classic())),
]

function page(name: string, format: "json" | "yaml", write: () => string): SitePage {
  const respond = compressed(`application/${format}; charset=utf-8`, "public, max-age=300", write)
  return { path: `${basePath}/${name}`, respond: ({ acceptsGzip }) => respond(acceptsGzip) }
}
