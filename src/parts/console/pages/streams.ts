import { Readable } from "node:stream"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import { Markup } from "../../site/pages/html.ts"
import { alarm } from "../../site/pages/parts/notice.ts"
import type { Download, PageStream } from "./page.ts"

const seam = "<!-- streamed content -->"
/** Disables response buffering in nginx. */
const unbuffered = ["x-accel-buffering", "no"]

/** An error is reported where the content ends. What the content was made from is released before the page ends. */
export function renderStream(
  frame: (main: Markup) => HttpResponse,
  { pieces, release }: PageStream,
  explain: (error: unknown) => Problem,
): HttpResponse {
  const { status, headers, body: whole } = frame(new Markup(seam))
  const [before, after] = String(whole).split(seam)

  async function* write() {
    yield before
    try {
      for await (const piece of pieces) yield piece.text
    } catch (error) {
      yield alarm(`The operation was not completed. ${explain(error).detail}`).text
    }
    await releaseQuietly()
    yield after
  }
  // Files that cannot be removed now are removed with other leftovers later.
  const releaseQuietly = () => release().catch(() => undefined)
  const body = Readable.from(write()).once("close", releaseQuietly)
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
