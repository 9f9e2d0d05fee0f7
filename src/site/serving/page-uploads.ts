import type { Api } from "../../api/operations/api.ts"
import type { UploadShape } from "../../kernel/endpoint/endpoint.ts"
import { slots } from "../../kernel/flow/slots.ts"
import { Problem } from "../../kernel/problem.ts"
import type { IncomingUpload } from "../../server/exchange/exchange.ts"
import type { Person } from "./visitor.ts"

/** Files of one person on the disk while pages read them. */
const openMax = { perKey: 2, total: Number.POSITIVE_INFINITY }

/** Receives files for pages that read them themselves, which may take minutes: a few per person at a time. */
export function pageUploads({ receive }: Pick<Api, "receive">) {
  const open = slots<number>(openMax)

  return (person: Person, shape: UploadShape): IncomingUpload => {
    const close = open.take(person.caller.user.id)
    if (typeof close === "string")
      throw new Problem("unavailable", `You have ${openMax.perKey} files being read. Wait for one to end`, {
        retryAfter: 5,
      })
    const taken = new AsyncDisposableStack()
    taken.defer(close)
    const incoming = taken.use(receive(person, shape))
    return { receive: () => incoming.receive(), [Symbol.asyncDispose]: () => taken.disposeAsync() }
  }
}
