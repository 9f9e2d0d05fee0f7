import fs, { readlinkSync } from "node:fs"
import { open } from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { relative } from "node:path"

/** What was flushed below a directory, by path within it, in the order of the calls. The directory itself is ".". */
type RecordedFlushes = Disposable & { take(): string[] }

/** Records every flush of a file or a directory in this process until it is disposed of. Needs /proc. */
export async function recordFlushes(directory: string): Promise<RecordedFlushes> {
  const flushed: string[] = []
  const note = (handle: number): void => {
    const path = relative(directory, readlinkSync(`/proc/self/fd/${handle}`))
    if (!path.startsWith("..")) flushed.push(path || ".")
  }
  const { fsync, fsyncSync } = fs
  fs.fsync = Object.assign(
    (handle: number, done: fs.NoParamCallback) => {
      note(handle)
      fsync(handle, done)
    },
    { __promisify__: fsync.__promisify__ },
  )
  fs.fsyncSync = (handle) => {
    note(handle)
    fsyncSync(handle)
  }
  syncBuiltinESMExports()
  await using any = await open(directory)
  const handles = Object.getPrototypeOf(any) as typeof any
  const { sync } = handles
  handles.sync = function () {
    note(this.fd)
    return sync.call(this)
  }
  return {
    take: () => flushed.splice(0),
    [Symbol.dispose]() {
      Object.assign(fs, { fsync, fsyncSync })
      syncBuiltinESMExports()
      handles.sync = sync
    },
  }
}
