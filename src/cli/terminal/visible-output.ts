import { visible } from "../../core/kernel/visible.ts"
import type { Paint, Terminal } from "../command/command.ts"

/**
 * A terminal that shows what other programs wrote without being controlled by it: of control characters and characters that hide or
 * turn text, only line ends and the formats of `paint` take effect. Files and pipes receive the text as it is.
 */
export function openVisibleTerminal(terminal: Terminal): Terminal {
  // Text of others does not contain it.
  const mark = `<${crypto.randomUUID()}>`
  const escapeLines = (text: string): string => text.replace(/[^\n]+/g, visible)
  const markFormats =
    (paint: Paint): Paint =>
    (format, text) =>
      paint(format, escapeLines(text)).replaceAll("\u001b", mark)
  const show = (text: string, isTerminal: boolean): string =>
    isTerminal ? escapeLines(text).replaceAll(mark, "\u001b") : text
  const { out, err, paint, width, isTerminal, redraw } = terminal
  return {
    ...terminal,
    out: (text) => out(show(text, width !== undefined)),
    err: (text) => err(show(text, isTerminal)),
    redraw: (line) => redraw(show(line, isTerminal)),
    paint: {
      out: width === undefined ? paint.out : markFormats(paint.out),
      err: isTerminal ? markFormats(paint.err) : paint.err,
    },
  }
}
