import { type Sort, type SortedPage, startOf } from "../../../kernel/endpoint/page.ts"
import { inParameter, Problem, problem } from "../../../kernel/problem.ts"
import { PetStatus } from "../contract.ts"
import type { PetQuery } from "./contract.ts"

/** The page of the list for a query; refused like the list, and when its cursor is of another order. */
export function choosePage(query: PetQuery, page: SortedPage) {
  const filter = chooseList(query, page.sort)
  if (filter instanceof Problem) return filter
  const cursor = startOf(page, filter.sort)
  return cursor instanceof Problem ? cursor : { filter, limit: page.limit, cursor }
}

/** The list for a query; refused when no index supports its filters and order, because its cost would grow with the number of pets. */
export function chooseList({ status = PetStatus.enum, category, tag, name }: PetQuery, sort?: Sort) {
  const [first] = Object.entries({ category, tag, name }).flatMap(([by, wanted]) => (wanted ? [by] : []))
  if (name !== undefined && first !== "name")
    return refuse("name", `cannot be combined with ${first}: status can, as with category and tag together`)
  const chosen = sort ?? (name === undefined ? "-id" : "name")
  const sorts = sortsWith[first ?? ""]
  if (sorts && !sorts.includes(chosen)) return refuse("sort", `must be ${sorts.join(" or ")} with ${first}`)
  return { statuses: status, categories: category, tags: tag, name, sort: chosen }
}

const byId: readonly Sort[] = ["id", "-id"]
const sortsWith: Record<string, readonly Sort[]> = { category: byId, tag: byId, name: ["name", "-name"] }

const refuse = (parameter: string, detail: string) =>
  problem("invalid-parameter", inParameter(parameter, "not-combinable", detail))
