import { constants, setPriority } from "node:os"
import { Problem } from "../kernel/problem.ts"
import type { DecodeJob, DecoderReport } from "./worker.ts"

/** A decoder process: receives one image at a time and reports the result. Its argument is the memory limit in bytes. */
const memoryBytesMax = Number(process.argv[2])
const memoryCheckIntervalMs = 20
const memoryBytes = () => process.memoryUsage.rss()

// Requests of the service have priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
setInterval(() => memoryBytes() > memoryBytesMax && process.exit(1), memoryCheckIntervalMs)
process.on("disconnect", () => process.exit())

const { decodeImage } = await import("./decode.ts")
process.on("message", ({ file, directory }: DecodeJob) => {
  decodeImage(file, directory).then(
    (outcome) => {
      if (outcome instanceof Problem)
        report({ memoryBytes: memoryBytes(), kind: "refused", code: outcome.code, detail: outcome.detail })
      else report({ memoryBytes: memoryBytes(), kind: "decoded", decoded: outcome })
    },
    (error: Error) => report({ memoryBytes: memoryBytes(), kind: "failed", reason: error.message }),
  )
})
report({ kind: "ready" })

function report(report: DecoderReport): void {
  process.send?.(report)
}
