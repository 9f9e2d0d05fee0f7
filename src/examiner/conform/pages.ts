import { expect } from "../verdict.ts"
import { expectStatus, jsonOf, type Reply, type Subject } from "./subject.ts"

export const idsOf = (reply: Reply): number[] => (jsonOf(reply) as { id: number }[]).map(({ id }) => id)

/** The address of the next page, which may be relative to that of this one (RFC 8288 section 3.1). */
export function nextOf({ headers, address }: Reply): string | undefined {
  const [, next] = /<([^>]+)>; *rel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return next && (URL.parse(next, address)?.href ?? next)
}

const pagesMax = 10_000

/** The pages of a list, from the first to the one without a next. */
export async function readPages(subject: Subject, list: string): Promise<Reply[]> {
  const read: Reply[] = []
  const addresses = new Set<string>()
  for (let page: string | undefined = list; page !== undefined; ) {
    const reply: Reply = await subject.send("GET", page)
    expectStatus(reply, 200)
    expect(!addresses.has(reply.address), `the page ${reply.address} follows itself`)
    expect(read.push(reply) < pagesMax, "the list has no end")
    addresses.add(reply.address)
    page = nextOf(reply)
  }
  return read
}
