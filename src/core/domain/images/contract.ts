import { jsonOrXml } from "../../kernel/network/media-types.ts"
import { Id, object, text } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"

const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const
export type ImageType = (typeof imageTypes)[number]
export const isImageType = (type: unknown): type is ImageType => imageTypes.some((known) => known === type)

const imageBytesMax = 10 * 1024 * 1024
/** Width × height × frames. */
export const imagePixelsMax = 50_000_000
/** Every frame takes time to decode, however small. */
export const imageFramesMax = 500

/** Longer edges, in pixels, of the smaller WebP copies of every image. */
export const imageSizes = [320, 1280] as const

/** The stored files of an image: the original without metadata, and the smaller copies. */
export type ImagePart = "original" | `${(typeof imageSizes)[number]}`
export const imageParts: readonly ImagePart[] = ["original", ...imageSizes.map((size) => `${size}` as const)]

export const perPart = <T>(of: (part: ImagePart) => T): Record<ImagePart, T> =>
  Object.fromEntries(imageParts.map((part) => [part, of(part)])) as Record<ImagePart, T>

export const totalBytes = (bytes: Record<ImagePart, number>): number =>
  imageParts.reduce((sum, part) => sum + bytes[part], 0)

/** Path of images below the public URL. */
export const imagesPath = "/images"

/** Path of an image below the public URL: `/images/{sha256}`, with `/320` or `/1280` for a smaller copy. */
export const imagePath = (sha256: string, part: ImagePart = "original"): string =>
  `${imagesPath}/${sha256}${part === "original" ? "" : `/${part}`}`

/** The SHA-256 in a photo URL of this service, under any public URL. */
export const imageHashIn = (url: string): string | undefined =>
  /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/[^?#]*)?\/images\/([0-9a-f]{64})(?:\/\d+)?$/.exec(url)?.[1]

const exampleHash = "d31ddfa539c363378455a16619a0242e364ee1bb7487efbbcf55c1cbad40c60b"
const Sha256 = Type.String({
  pattern: "^[0-9a-f]{64}$",
  "x-rule": "must be a SHA-256 in lower-case hex",
  description: "SHA-256 of the image as served, in lower-case hex",
  examples: [exampleHash],
})
const exampleUrl = `https://petstore.example${imagePath(exampleHash)}`
const Url = Type.String({ format: "uri", examples: [exampleUrl] })
const imageDescription = { examples: ["Asleep on the sofa"] }
const pixels = { minimum: 1, format: "int32" as const, examples: [640] }

const PetImage = object("PetImage", {
  sha256: Sha256,
  url: Url,
  type: Type.Enum([...imageTypes]),
  width: Type.Integer(pixels),
  height: Type.Integer(pixels),
  frames: Type.Integer({ minimum: 1, format: "int32", description: "More than one for an animation" }),
  bytes: Type.Integer({ minimum: 1, format: "int32", examples: [48213] }),
  description: Type.Optional(
    Type.String({ description: "The `additionalMetadata` of the upload", ...imageDescription }),
  ),
  sizes: Type.Array(
    Type.Object(
      { edge: Type.Integer({ format: "int32", description: "Longer edge in pixels, at most" }), url: Url },
      { examples: [{ edge: imageSizes[0], url: `${exampleUrl}/${imageSizes[0]}` }] },
    ),
  ),
})

const UploadFields = Type.Object({
  additionalMetadata: Type.Optional(text(0, 1000, { description: "Description of the image", ...imageDescription })),
})

/** A GIF of one pixel and without colours. */
const exampleImage = "GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;"

const endpoint = endpointsWith({ tag: "pet" })

export const images = {
  uploadFile: endpoint("POST", "/pet/{petId}/uploadImage", {
    summary: "Upload an image of a pet",
    description:
      "JPEG, PNG, WebP, GIF or AVIF, detected by content. Metadata such as GPS coordinates is removed and the orientation applied. " +
      "The image's URL is appended to the pet's `photoUrls`; append `/320` or `/1280` to it for smaller copies.",
    command: "pets upload-image",
    scope: "write:pets",
    query: UploadFields,
    upload: {
      types: ["application/octet-stream", "image/*"],
      bytesMax: imageBytesMax,
      fields: UploadFields,
      example: exampleImage,
    },
    produces: jsonOrXml,
    headers: {
      Location: { description: "URL of the image", example: exampleUrl },
    },
    problems: [
      "pet-not-found",
      "unsupported-image",
      "unreadable-image",
      "image-too-large",
      "too-many-photos",
      "image-quota-exceeded",
    ],
  }),

  listPetImages: endpoint("GET", "/pet/{petId}/images", {
    summary: "List the images of a pet that are stored here",
    description: "In the order of its `photoUrls`, which may contain other URLs too.",
    command: "pets images",
    scope: "read:pets",
    response: Type.Array(PetImage, { maxItems: 50 }),
    problems: ["pet-not-found"],
  }),

  deletePetImage: endpoint("DELETE", "/pet/{petId}/images/{sha256}", {
    summary: "Remove an image from a pet",
    description:
      "Removes its URL from `photoUrls`. The image itself is deleted a day after no pet refers to it any more.",
    command: "pets delete-image",
    scope: "write:pets",
    params: Type.Object({ petId: Id, sha256: Sha256 }),
    problems: ["pet-not-found", "image-not-found", "precondition-failed"],
    conditional: true,
  }),
}
