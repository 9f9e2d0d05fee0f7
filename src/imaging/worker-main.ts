import { constants, setPriority } from "node:os"
import { Problem } from "../kernel/problem.ts"
import type { DecodeJob, DecoderReport } from "./worker.ts"

/** A decoder process: it is sent one image at a time and reports how each went. Its argument is how many bytes it may use. */
const memoryBytesMax = Number(process.argv[2])
const memoryCheckIntervalMs = 20
const memoryBytes = () => process.memoryUsage.rss()

// Requests come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
setInterval(() => memoryBytes() > memoryBytesMax && process.exit(1), memoryCheckIntervalMs)
process.on("disconnect", () => process.exit())

const { decodeImage } = await import("./decode.ts")
process.on("message", ({ file, directory }: DecodeJob) => {
  decodeImage(file, directory).then(
    (outcome) => {
      if (outcome instanceof Problem)
        tell({ memoryBytes: memoryBytes(), kind: "refused", code: outcome.code, detail: outcome.detail })
      else tell({ memoryBytes: memoryBytes(), kind: "decoded", decoded: outcome })
    },
    (error: Error) => tell({ memoryBytes: memoryBytes(), kind: "failed", reason: error.message }),
  )
})
tell({ kind: "ready" })

function tell(report: DecoderReport): void {
  process.send?.(report)
}
