import type { Exchange } from "../../../../core/server/exchange/exchange.ts"
import type { defectIds } from "../contract.ts"
import { changeJson, changeResponse, type Defects, key } from "../defect.ts"

const everyItemOnce = "The pages of a list have every item once."

/** The `Link` to the next page, and its cursor. */
function nextOf(
  { headers }: Pick<Exchange, "headers">,
  more: readonly string[],
): { link: string; cursor: string } | undefined {
  const [link, cursor] = /<[^>]*[?&](cursor=[^&>]+)[^>]*>; rel="next"/.exec([...headers, ...more].join("\n")) ?? []
  return link === undefined ? undefined : { link, cursor: cursor as string }
}

/** The cursor of the page that is requested. */
const cursorOf = ({ query }: Exchange): string => /cursor=[^&]+/.exec(query)?.[0] ?? ""

/** Paging. */
export const listDefects: Defects<(typeof defectIds.lists)[number]> = {
  "item-missing-between-pages": {
    wrong: "Every page of pets after the first begins with the second item.",
    breaks: everyItemOnce,
    see: `${key} -i "$URL/api/v3/pet?limit=3" # and the page of its Link`,
    around: {
      listPets: changeJson<unknown[]>((pets, { query }) => (query.includes("cursor=") ? pets.slice(1) : pets)),
    },
  },
  "item-on-two-pages": {
    wrong: "Every page of pets after the first begins with the last pet of the one before.",
    breaks: everyItemOnce,
    see: `${key} -i "$URL/api/v3/pet?limit=3" # and the page of its Link`,
    around: {
      async listPets(exchange, next, memory) {
        const response = await next(exchange)
        if (response?.status !== 200 || typeof response.body !== "string" || exchange.isXml) return response
        const pets = JSON.parse(response.body)
        const before = memory.get(cursorOf(exchange))
        const following = nextOf(exchange, response.headers)
        if (following) memory.set(following.cursor, pets.at(-1))
        return before === undefined ? response : { ...response, body: JSON.stringify([before, ...pets]) }
      },
    },
  },
  "next-page-without-end": {
    wrong: "The last page of pets has a `Link` to itself.",
    breaks: 'The last page has no `Link` with `rel="next"`.',
    see: `${key} -i "$URL/api/v3/pet?limit=1000"`,
    around: {
      async listPets(exchange, next, memory) {
        const response = await next(exchange)
        if (response?.status !== 200) return response
        const following = nextOf(exchange, response.headers)
        if (following) memory.set(following.cursor, following.link)
        const self = `<${exchange.outside(exchange.path)}${exchange.query && `?${exchange.query}`}>; rel="next"`
        const link = String(memory.get(cursorOf(exchange)) ?? self)
        return following ? response : { ...response, headers: [...response.headers, "link", link] }
      },
    },
  },
  "total-off-by-one": {
    wrong: "`Total-Count` of the pets is one too many.",
    breaks: "`Total-Count` is the number of items of the whole list.",
    see: `${key} -i $URL/api/v3/pet -H 'Prefer: count=exact'`,
    seenWith: ["Prefer"],
    around: {
      listPets: changeResponse((response) => ({
        ...response,
        headers: response.headers.map((text, n) =>
          response.headers[n - 1] === "total-count" ? String(Number(text) + 1) : text,
        ),
      })),
    },
  },
}
