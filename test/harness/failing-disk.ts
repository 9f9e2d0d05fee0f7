// Loaded before the service. After SIGUSR2, which it confirms in the log, all synchronizations of the disk fail.
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const { fdatasync } = fs
let fails = false
process.on("SIGUSR2", () => {
  fails = true
  fs.writeSync(1, '{"msg":"disk fails from now on"}\n')
})
const failing = (handle: number, done: fs.NoParamCallback): void => {
  if (fails) process.nextTick(done, Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }))
  else fdatasync(handle, done)
}
fs.fdatasync = Object.assign(failing, { __promisify__: fdatasync.__promisify__ })
syncBuiltinESMExports()
