import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { idsOf, nextOf, readPages } from "../pages.ts"
import { addPetFirst, claim, expectEqual, expectRefusal, type Subject } from "../subject.ts"

const pageSize = 3
const lists = ["/pet/findByStatus?status=sold", "/pet?status=sold"]

/** Adds more pets than a page has. Those lists of them that have pages; claimed when one has no more than its limit. */
async function fillLists(subject: Subject): Promise<{ added: number[]; paged: string[] }> {
  const added: number[] = []
  while (added.length <= pageSize) added.push((await addPetFirst(subject, { status: "sold" })).id)
  const paged: string[] = []
  for (const list of lists) {
    const limited = `${list}&limit=${pageSize}`
    const reply = await subject.send("GET", limited)
    if (reply.status === 200 && reply.text.startsWith("[") && idsOf(reply).length <= pageSize) paged.push(limited)
  }
  claim(paged.length > 0, "its lists have no limit")
  return { added, paged }
}

export const listChecks: ConformChapter = {
  name: "Pages",
  tasks: [
    {
      name: "has-each-once",
      expects: "The pages that Link leads to have each pet once, and end.",
      source: "ours",
      async examine(subject) {
        const { added, paged } = await fillLists(subject)
        for (const list of paged) {
          const found = (await readPages(subject, list)).flatMap(idsOf)
          expectEqual(found.length, new Set(found).size, "the number of pets")
          for (const id of added) expect(found.includes(id), `${list} does not have the pet ${id}`)
        }
      },
    },
    {
      name: "goes-on-after-a-change",
      expects: "A pet that is added or deleted between two pages moves no other.",
      source: "ours",
      async examine(subject) {
        const { added, paged } = await fillLists(subject)
        for (const list of paged) {
          const before = (await readPages(subject, list)).flatMap(idsOf)
          const first = await subject.send("GET", list)
          const { id: later } = await addPetFirst(subject, { status: "sold" })
          const gone = idsOf(first).find((id) => added.includes(id))
          if (gone !== undefined) await subject.send("DELETE", `/pet/${gone}`)
          const second = idsOf(await subject.send("GET", nextOf(first) ?? "the next page"))
          // The new pet is anywhere in the order of the list.
          const known = second.filter((id) => id !== later)
          expectEqual(known, before.slice(pageSize, pageSize + known.length), "the second page")
          expect(known.length > 0, "the second page is empty")
        }
      },
    },
    {
      name: "counts-the-whole-list",
      expects: "Total-Count, with Prefer: count=exact, is the number of pets on all pages.",
      source: "ours",
      async examine(subject) {
        const { paged } = await fillLists(subject)
        const counts: [string, string][] = []
        for (const list of paged) {
          const { headers } = await subject.send("GET", list, { headers: { prefer: "count=exact" } })
          const count = headers.get("total-count")
          if (count !== null) counts.push([list, count])
        }
        claim(counts.length > 0, "no list has Total-Count")
        for (const [list, count] of counts)
          expectEqual(Number(count), (await readPages(subject, list)).flatMap(idsOf).length, `Total-Count of ${list}`)
      },
    },
    {
      name: "refuses-other-limits",
      expects: "A limit of 0, or that is no number, is refused.",
      source: "ours",
      async examine(subject) {
        const { paged } = await fillLists(subject)
        for (const list of paged)
          for (const limit of ["0", "-1", "many"])
            expectRefusal(await subject.send("GET", list.replace(`limit=${pageSize}`, `limit=${limit}`)))
      },
    },
    {
      name: "refuses-an-unknown-cursor",
      expects: "A cursor that the service has not issued is refused, not an empty list.",
      source: "ours",
      async examine(subject) {
        const { paged } = await fillLists(subject)
        for (const list of paged) expectRefusal(await subject.send("GET", `${list}&cursor=unknown`))
      },
    },
  ],
}
