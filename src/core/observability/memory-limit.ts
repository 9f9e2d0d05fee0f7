import { totalmem } from "node:os"

/** Bytes that this process and its children may use: the machine's memory, or less where a control group (v1 or v2) limits it. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
