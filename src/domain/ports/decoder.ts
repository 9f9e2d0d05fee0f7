import type { Problem } from "../../kernel/problem.ts"
import type { ImagePart, ImageType } from "../images/contract.ts"

/** A decoded image, upright and without metadata, in every size, as files in the directory it was decoded into. */
export type Decoded = {
  /** Of the original as it will be served, in hex. */
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  files: Record<ImagePart, { path: string; bytes: number }>
}

/** Decodes untrusted images. */
export type ImageDecoder = {
  /**
   * Decodes a file that may be hostile, within bounds of time, memory and concurrency, and writes the results into the
   * directory. Accounts take turns; throws the problem `unavailable` when too many of this one's are waiting.
   */
  decode(
    file: string,
    directory: string,
    accountId: number,
  ): Promise<Decoded | Problem<"unsupported-image" | "unreadable-image" | "image-too-large">>
}
