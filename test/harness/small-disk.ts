import { execFileSync } from "node:child_process"
import { temporaryDirectory } from "./petstore.ts"

/** A file system of its own with little room; gone when it is disposed. */
export function smallDisk(): { path: string; grow(): void } & Disposable {
  const directory = temporaryDirectory()
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=28m", "tmpfs", directory.path])
  return {
    path: directory.path,
    grow: () => void execFileSync("mount", ["-o", "remount,size=1g", directory.path]),
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", directory.path])
      directory[Symbol.dispose]()
    },
  }
}

/** Whether such a file system can be made here. */
export const mayMount = process.platform === "linux" && mounts()

function mounts(): boolean {
  try {
    smallDisk()[Symbol.dispose]()
    return true
  } catch {
    return false
  }
}
