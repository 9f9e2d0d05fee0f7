import { basePath, v2Path } from "../../../kernel/network/path.ts"
import { problem } from "../../../kernel/problem.ts"
import { compressed } from "../compressed.ts"
import type { Site, SitePage } from "../site.ts"
import { toYaml } from "./yaml.ts"

/** The OpenAPI documents, generated at the first request: they contain the public URL. */
export const descriptionPages = ({ whole, withoutWebhooks, classic, v2 }: Site["describe"]): SitePage[] => [
  ...(["json", "yaml"] as const).map((format) => wholePage(format, whole, withoutWebhooks)),
  page(`${basePath}/openapi.classic`, "json", classic),
  ...(v2 ? [page(`${v2Path}/swagger`, "json", v2), page(`${v2Path}/swagger`, "yaml", v2)] : []),
]

type Format = "json" | "yaml"

/** Generators that do not know webhooks make types from them that do not compile, so `?webhooks=false` omits them. */
function wholePage(format: Format, whole: () => object, withoutWebhooks: () => object): SitePage {
  const choices = { true: written(format, whole), false: written(format, withoutWebhooks) }
  return {
    path: `${basePath}/openapi.${format}`,
    respond({ query, acceptsGzip }) {
      const asked = new URLSearchParams(query).get("webhooks") ?? "true"
      if (asked === "true" || asked === "false") return choices[asked](acceptsGzip)
      const violation = { parameter: "webhooks", code: "not-allowed", detail: "must be true or false" }
      throw problem("invalid-parameter", [violation])
    },
  }
}

function page(path: string, format: Format, describe: () => object): SitePage {
  const respond = written(format, describe)
  return { path: `${path}.${format}`, respond: ({ acceptsGzip }) => respond(acceptsGzip) }
}

const written = (format: Format, describe: () => object) =>
  compressed(`application/${format}`, "public, max-age=300", () =>
    format === "json" ? JSON.stringify(describe()) : toYaml(describe()),
  )
