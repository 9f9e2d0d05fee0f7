import type { ImageType } from "../domain/images/contract.ts"

/** The image type by the file's first bytes, regardless of name and declared type; undefined for unsupported types. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString("latin1", 0, 12)
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (/^RIFF.{4}WEBP/s.test(head)) return "image/webp"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  if (head.startsWith("ftyp", 4) && brandsOf(bytes).some((brand) => brand === "avif" || brand === "avis"))
    return "image/avif"
  return undefined
}

/** The brands of a file type box (ISO/IEC 14496-12 section 4.3). */
function brandsOf(bytes: Buffer): string[] {
  const box = bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(), 256))
  return box.match(/.{4}/gs) ?? []
}
