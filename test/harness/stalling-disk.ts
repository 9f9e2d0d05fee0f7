// Loaded before the service. SIGUSR2 stalls all synchronizations of the disk until the next SIGUSR2. The log confirms each.
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const { fdatasync } = fs
const held: (() => void)[] = []
let isStalled = false
process.on("SIGUSR2", () => {
  isStalled = !isStalled
  fs.writeSync(1, isStalled ? '{"msg":"disk stalls"}\n' : '{"msg":"disk answers"}\n')
  if (!isStalled) for (const flush of held.splice(0)) flush()
})
const stalling = (handle: number, done: fs.NoParamCallback): void => {
  if (isStalled) held.push(() => fdatasync(handle, done))
  else fdatasync(handle, done)
}
fs.fdatasync = Object.assign(stalling, { __promisify__: fdatasync.__promisify__ })
syncBuiltinESMExports()
