import { api } from "../../../../core/domain/api.ts"
import { problems } from "../../../../core/domain/problems/problems.ts"
import type { Markup } from "../../../site/pages/html.ts"
import type { Visit } from "../page.ts"
import { contains, type Hit, hitList } from "./hits.ts"

const operationHits = (root: string): Hit[] =>
  Object.entries(api).map(([name, { method, path, summary, tag }]) => ({
    href: `${root}/../docs#tag/${tag}/${method}${path}`,
    label: name,
    note: `${method} ${path}: ${summary}`,
  }))

const errorHits = (root: string): Hit[] =>
  Object.entries(problems).map(([code, { status, title }]) => ({
    href: `${root}/../problems/${code}`,
    label: code,
    note: `${status} ${title}`,
  }))

/** Operations of the reference and kinds of errors, of which every visitor may read. */
export const documents = [documentFinder("Reference", operationHits), documentFinder("Errors", errorHits)]

function documentFinder(title: string, hitsBelow: (root: string) => Hit[]) {
  return async ({ root }: Visit, text: string): Promise<Markup | undefined> =>
    hitList(
      title,
      hitsBelow(root).filter(({ label, note }) => contains(text, label, note)),
    )
}
