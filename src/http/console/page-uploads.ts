import type { UploadShape } from "../../kernel/endpoint.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Incoming } from "../messages/upload.ts"
import type { Operating } from "../operating.ts"
import type { Visitor } from "./visitors.ts"

/** Files of one person that lie on the disk at once, while pages read them. */
const openMax = 2
const retryAfter = 5

/** Takes in files for pages that read them themselves, which may take minutes: a few of each person at a time. */
export function pageUploads({ receive }: Pick<Operating, "receive">) {
  const open = new Map<number, number>()

  return (visitor: Visitor, shape: UploadShape): Incoming => {
    const { id } = visitor.caller.user
    const incoming = receive(visitor, shape)
    let isOpen = false
    return {
      async receive() {
        const others = open.get(id) ?? 0
        if (others >= openMax)
          throw new Problem("unavailable", `${openMax} files of yours are being read already; wait for one to end`, {
            retryAfter,
          })
        open.set(id, others + 1)
        isOpen = true
        return incoming.receive()
      },
      async [Symbol.asyncDispose]() {
        try {
          await incoming[Symbol.asyncDispose]()
        } finally {
          if (isOpen) leave(id)
          isOpen = false
        }
      },
    }
  }

  function leave(id: number): void {
    const left = (open.get(id) as number) - 1
    if (left === 0) open.delete(id)
    else open.set(id, left)
  }
}
