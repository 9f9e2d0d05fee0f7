import type { Chosen, Description } from "../../../core/assembly/description.ts"
import { type Compressed, compressed } from "../../site/pages/compressed.ts"
import type { SitePage } from "../../site/serving/pages.ts"
import { readChoices } from "../descriptions.ts"

/** The descriptions of the API, each written and compressed at its first request for each combination of choices. */
export const descriptionPages = (descriptions: readonly Description[]): SitePage[] => descriptions.map(descriptionPage)

function descriptionPage(description: Description): SitePage {
  const written = new Map<string, Compressed>()

  function writtenWith(chosen: Chosen): Compressed {
    const key = JSON.stringify(chosen)
    const known = written.get(key)
    if (known) return known
    const { mediaType, write } = description
    const made = compressed(mediaType, "public, max-age=300", () => write(chosen))
    written.set(key, made)
    return made
  }

  return {
    path: description.path,
    respond: ({ query, acceptsGzip }) => writtenWith(readChoices(description, query))(acceptsGzip),
  }
}
