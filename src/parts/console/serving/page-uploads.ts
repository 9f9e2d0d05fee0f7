import type { Api } from "../../../core/api/operations/api.ts"
import type { UploadShape } from "../../../core/kernel/endpoint/endpoint.ts"
import { slots } from "../../../core/kernel/flow/slots.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange, IncomingUpload } from "../../../core/server/exchange/exchange.ts"
import type { Visitor } from "../../site/serving/visitor.ts"

/** Files of one person on the disk while pages read them. */
const openMax = { perKey: 2, total: Number.POSITIVE_INFINITY }

/** Receives files for pages that read them themselves, which may take minutes: a few per person at a time. */
export function pageUploads({ receive }: Pick<Api, "receive">) {
  const open = slots<number>(openMax)

  return (exchange: Exchange, { caller }: Visitor, shape: UploadShape): IncomingUpload => {
    const close = open.take(caller.user.id)
    if (typeof close === "string")
      throw new Problem("unavailable", `You have ${openMax.perKey} files being read. Wait for one to end`, {
        retryAfter: 5,
      })
    const taken = new AsyncDisposableStack()
    taken.defer(close)
    const incoming = taken.use(receive(exchange, shape))
    return { receive: () => incoming.receive(), [Symbol.asyncDispose]: () => taken.disposeAsync() }
  }
}
