import { crc32 } from "node:zlib"
import sharp from "sharp"

/** Colourful noise, which compresses badly. */
const noise = (width: number, height: number, seed = 128) =>
  sharp({
    create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: seed, sigma: 30 } },
  })

export const formats = ["jpeg", "png", "webp", "gif", "avif"] as const
type Format = (typeof formats)[number]

export const makeImage = (format: Format, width = 64, height = 48, seed?: number): Promise<Buffer> =>
  noise(width, height, seed)
    .toFormat(format, format === "avif" ? { effort: 1 } : {})
    .toBuffer()

/** An image with GPS metadata and an EXIF orientation; applying the orientation puts red above blue. */
export async function telltale(format: Exclude<Format, "gif">): Promise<Buffer> {
  const half = (background: string) => ({ create: { width: 40, height: 40, channels: 3 as const, background } })
  // Rotating clockwise moves the left half to the top.
  const sideways = await sharp(half("red")).extend({ right: 40, background: "blue" }).png().toBuffer()
  return sharp(sideways)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: "SECRET-ARTIST" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1", GPSLongitudeRef: "W", GPSLongitude: "0/1 7/1 0/1" },
    })
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>SECRET-XMP</x:xmpmeta>")
    .toFormat(format, { lossless: format === "webp" })
    .toBuffer()
}

/** An animation of five different frames. */
export async function moving(format: "gif" | "webp"): Promise<Buffer> {
  const frames = await Promise.all(Array.from({ length: 5 }, (_, n) => makeImage("png", 40, 30, n * 50)))
  const delay = frames.map(() => 80)
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { delay, loop: 3 })
    .toBuffer()
}

/** A PNG of a few hundred bytes that declares these dimensions. */
export async function bomb(width: number, height: number): Promise<Buffer> {
  const bytes = await makeImage("png", 1, 1)
  const header = Buffer.from(bytes.subarray(12, 29))
  header.writeUInt32BE(width, 4)
  header.writeUInt32BE(height, 8)
  header.copy(bytes, 12)
  bytes.writeUInt32BE(crc32(header), 29)
  return bytes
}

/** The URL of an uploaded image. */
export const urlOf = ({ headers }: { headers: Headers }): string => headers.get("location") ?? ""
