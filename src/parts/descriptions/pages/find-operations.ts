import { api } from "../../../core/domain/api.ts"
import { contains, type SiteFinder } from "../../site/search/found.ts"

/** Finds operations by their names, paths and summaries; a number is an id, not a part of these. */
export const findOperations: SiteFinder = ({ root }, text) => [
  {
    title: "Reference",
    hits: Object.entries(api)
      .filter(([name, { path, summary }]) => /\D/.test(text) && contains(text, name, path, summary))
      .map(([name, { method, path, summary, tag }]) => ({
        label: name,
        note: `${method} ${path}: ${summary}`,
        href: `${root}/docs#tag/${tag}/${method}${path}`,
      })),
  },
]
