import { Readable } from "node:stream"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Problem } from "../../kernel/problem.ts"
import { Markup } from "../html.ts"
import { alarm } from "../parts/notice.ts"
import { type Framed, renderFrame } from "./frame.ts"
import type { Download, PageStream } from "./page.ts"

const seam = "<!-- what comes piece by piece -->"
/** Proxies that collect a response before they send it on are asked not to (nginx). */
const unbuffered = ["x-accel-buffering", "no"]

/** A page whose content is sent as it comes about; what goes wrong meanwhile is said where it stopped. */
export function renderStream(
  frame: Omit<Framed, "main">,
  { pieces, release }: PageStream,
  explain: (error: unknown) => Problem,
): HttpResponse {
  const { status, headers, body: whole } = renderFrame({ ...frame, main: new Markup(seam) })
  const [before, after] = String(whole).split(seam)

  async function* write() {
    yield before
    try {
      for await (const piece of pieces) yield piece.text
    } catch (error) {
      yield alarm(`This stopped before its end. ${explain(error).detail}`).text
    }
    yield after
  }
  // What cannot be removed now is cleared with whatever else was left behind.
  const body = Readable.from(write()).once("close", () => release().catch(() => undefined))
  return { status, headers: [...headers, ...unbuffered], body }
}

/** A file that the browser keeps; one that ends too early is told to be broken. */
export const downloadResponse = ({ name, type, text }: Download): HttpResponse => ({
  status: 200,
  headers: [
    ...["content-type", `${type}; charset=utf-8`, "content-disposition", `attachment; filename="${name}"`],
    ...["cache-control", "no-store", ...unbuffered],
  ],
  body: Readable.from(text),
})
