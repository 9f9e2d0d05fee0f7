import { closeSync, unlinkSync, writeSync } from "node:fs"
import { visible } from "../../core/kernel/visible.ts"
import type { Rejection } from "../../pet-files/draft.ts"
import { excerptOf, type Line } from "../../pet-files/lines.ts"
import type { Terminal } from "../command/command.ts"
import { openFile } from "./open-file.ts"

const shownMax = 10

/**
 * Reports refused lines: the first few on the terminal, all of them in a file as NDJSON. Without a path, all are printed on the
 * terminal. An empty report leaves no file.
 */
export function openReport(path: string | undefined, terminal: Pick<Terminal, "err">) {
  const file = path === undefined ? undefined : openFile(path, "w", "--report")
  let count = 0
  return {
    add(line: Pick<Line, "number" | "bytes">, { code, detail, errors, requestId }: Rejection): void {
      count += 1
      const entry = { line: line.number, code, detail, errors, requestId, text: excerptOf(line) }
      if (file !== undefined) writeSync(file, `${JSON.stringify(entry)}\n`)
      if (file === undefined || count <= shownMax) terminal.err(`line ${line.number}: ${visible(detail)} (${code})\n`)
      if (file !== undefined && count === shownMax + 1) terminal.err(`More in ${path}\n`)
    },
    close(): void {
      if (file === undefined) return
      closeSync(file)
      if (count === 0) unlinkSync(path as string)
    },
  }
}
