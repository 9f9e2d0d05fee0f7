import type { Problem } from "../../kernel/problem.ts"
import type { ImagePart, ImageType } from "../images/contract.ts"

/** A decoded image, upright and without metadata, in every size, as files in the working directory. */
export type Decoded = {
  /** Of the original as served, in hex. */
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
   * Decodes an untrusted file within bounds of time, memory and concurrency into files of the directory. Accounts are
   * served fairly; throws the problem `unavailable` when too many of the account's are waiting.
   */
  decode(
    file: string,
    directory: string,
    accountId: number,
  ): Promise<Decoded | Problem<"unsupported-image" | "unreadable-image" | "image-too-large">>
}
