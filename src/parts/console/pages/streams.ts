import { Readable } from "node:stream"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import { Markup } from "../../site/pages/html.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import { type Framed, renderFrame } from "./frame.ts"
import type { Download, PageStream } from "./page.ts"

const seam = "<!-- streamed content -->"
/** Disables response buffering in nginx. */
const unbuffered = ["x-accel-buffering", "no"]

/** An error is reported where the content ends. */
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
      yield alarm(`The operation was not completed. ${explain(error).detail}`).text
    }
    yield after
  }
  // Files that cannot be removed now are removed with other leftovers later.
  const body = Readable.from(write()).once("close", () => release().catch(() => undefined))
  return { status, headers: [...headers, ...unbuffered], body }
}

/** An error aborts the connection, so the browser reports a broken download. */
export const downloadResponse = ({ name, type, text }: Download): HttpResponse => ({
  status: 200,
  headers: [
    "content-type",
    `${type}; charset=utf-8`,
    "content-disposition",
    `attachment; filename="${name}"`,
    "cache-control",
    "no-store",
    ...unbuffered,
  ],
  body: Readable.from(text),
})
