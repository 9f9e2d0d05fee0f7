import { hash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp"
import { type ImageType, imageFramesMax, imagePixelsMax, imageSizes } from "../domain/images/contract.ts"
import type { Decoded, ImageDecoder } from "../domain/ports/decoder.ts"
import { problem } from "../kernel/problem.ts"
import { cleanAvif } from "./avif.ts"
import { cleanGif } from "./gif.ts"
import { cleanJpeg, endJpeg, isEnded } from "./jpeg.ts"
import { cleanPng } from "./png.ts"
import { imageTypeOf } from "./type-of.ts"
import { cleanWebp } from "./webp.ts"

const sizeQuality = 80
/** Effort of the WebP encoder, 0 to 6. Each frame of an animation takes as long as a still image. */
const [stillEffort, movingEffort] = [4, 0]
/** For a rotated original: close to the uploaded quality and size. */
const turnedQuality = 95

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({ operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((loader) => `VipsForeignLoad${loader}`) })

/** Decodes in this process, which a malicious image may crash. */
export const decodeImage = async (file: string, directory: string): ReturnType<ImageDecoder["decode"]> => {
  const sent = await readFile(file)
  const type = imageTypeOf(sent)
  if (type === undefined)
    return problem("unsupported-image", "The file is not an image by its content; send JPEG, PNG, WebP, GIF or AVIF")
  try {
    const about = await sharp(sent, { animated: true, limitInputPixels: false }).metadata()
    const pixels = about.width * about.height
    const frames = framesOf(about)
    if (frames > imageFramesMax)
      return problem("image-too-large", `The animation has ${frames} frames; the maximum is ${imageFramesMax}`)
    if (pixels > imagePixelsMax)
      return problem(
        "image-too-large",
        `The image has ${Math.ceil(pixels / 1e6)} megapixels, all frames together; the maximum is ${imagePixelsMax / 1e6}`,
      )
    return await develop(sent, type, about, directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith("E")) throw error
    const [reason] = (error as Error).message.split("\n")
    return problem("unreadable-image", `The file looks like ${type} but cannot be read: ${reason}`)
  }
}

const framesOf = ({ pages = 1 }: Metadata): number => pages

async function develop(sent: Buffer, type: ImageType, about: Metadata, directory: string): Promise<Decoded> {
  const frames = framesOf(about)
  const isTurned = frames === 1 && (about.orientation ?? 1) > 1
  const isCut = type === "image/jpeg" && !isEnded(sent)
  if (isCut) await requireAllPixels(cleanJpeg(sent))
  const whole = isCut ? endJpeg(sent) : sent
  const original = isTurned ? await turnUpright(whole, type) : clean[type](whole, about)
  const [small, large] = imageSizes
  const keeps = { animated: frames > 1, failOn: "error", limitInputPixels: imagePixelsMax } satisfies SharpOptions
  const effort = frames > 1 ? movingEffort : stillEffort
  const largeCopy = await resize(sharp(original, keeps), large, effort)
  // Scale the small copy from the large one, so that a large image is decoded once; for a small image both are equal.
  const edge = Math.max(about.width, about.height / frames)
  const source = sharp(edge > large ? largeCopy : original, keeps)
  const smallCopy = edge > small ? await resize(source, small, effort) : largeCopy

  const keep = async (name: string, bytes: Buffer) => {
    const path = join(directory, name)
    await writeFile(path, bytes, { mode: 0o600 })
    return { path, bytes: bytes.length }
  }
  return {
    sha256: hash("sha256", original),
    type,
    width: isTurned ? about.autoOrient.width : about.width,
    height: isTurned ? about.autoOrient.height : about.height / frames,
    frames,
    files: {
      original: await keep("original", original),
      [small]: await keep(`${small}`, smallCopy),
      [large]: await keep(`${large}`, largeCopy),
    },
  }
}

const resize = (image: Sharp, edge: number, effort: number): Promise<Buffer> =>
  image
    .resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true })
    .webp({ quality: sizeQuality, effort })
    .toBuffer()

/** Throws when pixels are missing before the end mark, which is only a warning of the decoder. */
const requireAllPixels = (image: Buffer): Promise<unknown> =>
  sharp(image, { failOn: "warning", limitInputPixels: imagePixelsMax }).stats()

/** Applies the EXIF orientation and removes EXIF. */
function turnUpright(sent: Buffer, type: ImageType): Promise<Buffer> {
  const turned = sharp(sent, { failOn: "error", limitInputPixels: imagePixelsMax }).autoOrient()
  if (type === "image/png") return turned.png().toBuffer()
  if (type === "image/webp") return turned.webp({ quality: turnedQuality }).toBuffer()
  return turned.jpeg({ quality: turnedQuality, chromaSubsampling: "4:4:4" }).toBuffer()
}

/** Removes metadata, by image type. */
const clean: Record<ImageType, (sent: Buffer, about: Metadata) => Buffer> = {
  "image/jpeg": cleanJpeg,
  "image/png": cleanPng,
  "image/webp": cleanWebp,
  "image/gif": cleanGif,
  "image/avif": (sent, { exif, xmp }) =>
    cleanAvif(
      sent,
      [exif?.subarray("Exif\0\0".length), xmp].filter((part) => part !== undefined),
    ),
}
