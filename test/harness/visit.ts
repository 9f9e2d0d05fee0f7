import type { Visit } from "../../src/site/pages/console/page.ts"

/** What an operation responds with: a result, the problem that it raises, or either of them for its input. */
type Response = object | ((input: never) => object)

export type VisitGiven = Partial<Omit<Visit, "call" | "query" | "scopes" | "service" | "person">> & {
  calls?: Readonly<Record<string, Response>>
  scopes?: readonly string[]
  person?: { username?: string; role?: string }
  query?: string
  service?: Partial<Visit["service"]>
}

/** A visit at the start of 1970 by someone who may see every page, and the operations that it calls, with their input. */
export function openVisit({ calls = {}, query = "", scopes = [], service, person, ...given }: VisitGiven = {}) {
  const called: unknown[][] = []
  const call = Object.fromEntries(
    Object.entries(calls).map(([name, response]) => [
      name,
      async (input: unknown) => {
        called.push([name, input])
        const result = typeof response === "function" ? response(input as never) : response
        if (result instanceof Error) throw result
        return { request: { method: "GET", target: `/${name}` }, ...result }
      },
    ]),
  )
  const visit = {
    root: "/console",
    path: "/",
    params: {},
    token: "T",
    call,
    sandbox: async () => call,
    mayGo: () => true,
    query: new URLSearchParams(query),
    scopes: new Set(scopes),
    person: { id: 4, username: "ada", role: "admin", ...person },
    account: { id: 2, name: "Ada", isOwn: true },
    service: { now: () => 0, publicUrl: () => "https://pets.example", hasPublicStore: true, ...service },
    ...given,
  }
  return { visit: visit as unknown as Visit, called }
}

/** The links and the actions of a page, in their order: a link as its path, an action as its name. */
export const waysOf = (text: string): (string | undefined)[] =>
  [...text.matchAll(/<a [^>]*?href="([^"]*)"|name="action" value="([^"]*)"/g)].map(([, path, action]) => path ?? action)

/** The facts about a resource, by their terms. */
export const factsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, fact]) => [term, fact]))

/** The rows of the tables of a page, as the markup of their cells. */
export const rowsOf = (text: string): (string | undefined)[][] =>
  text
    .split('<tr role="row"')
    .map((row) =>
      [...row.matchAll(/<td [^>]*>(?:<span class="clamp">)?(.*?)(?:<\/span>)?<\/td>/gs)].map(([, cell]) => cell),
    )
    .filter((cells) => cells.length > 0)
