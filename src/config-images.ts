import { join, resolve } from "node:path"
import { CannotStart } from "./kernel/cannot-start.ts"
import type { Places } from "./storage/places.ts"

/** Where images are, from PETSTORE_BLOB_URL; throws CannotStart for an address that cannot be used. */
export function imagesOf(url: string | undefined, downloads: string | undefined, dataDir: string): Places["images"] {
  const redirects = downloadsOf(downloads)
  if (url?.startsWith("s3:"))
    return { kind: "s3", directory: resolve(join(dataDir, "staged")), ...bucketOf(url), redirects }
  if (redirects)
    throw new CannotStart(
      "PETSTORE_BLOB_DOWNLOADS is redirect; only images in S3 (PETSTORE_BLOB_URL) can be redirected to",
    )
  if (url === undefined) return { kind: "disk", directory: resolve(join(dataDir, "images")) }
  if (url.startsWith("file:") && url.length > "file:".length)
    return { kind: "disk", directory: resolve(url.slice("file:".length)) }
  throw new CannotStart(`PETSTORE_BLOB_URL is ${JSON.stringify(url)}; it must be file:PATH or ${s3Form}`)
}

function downloadsOf(value = "stream"): boolean {
  if (value === "stream" || value === "redirect") return value === "redirect"
  throw new CannotStart(`PETSTORE_BLOB_DOWNLOADS is ${JSON.stringify(value)}; it must be stream or redirect`)
}

const s3Form = "s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]"
const parameters = ["endpoint", "publicEndpoint", "region"]

function bucketOf(text: string) {
  const url = URL.parse(text)
  // What might be a secret is not repeated.
  if (url?.username || url?.password)
    throw new CannotStart("PETSTORE_BLOB_URL must hold no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
  const refuse = (reason: string) => new CannotStart(`PETSTORE_BLOB_URL is ${JSON.stringify(text)}; ${reason}`)
  if (!url || url.hash || url.port || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    throw refuse(`it must be ${s3Form}`)
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) throw refuse(`${unknown} is none of ${parameters.join(", ")}`)

  const endpointOf = (name: string) => {
    const value = url.searchParams.get(name)
    if (value === null) return undefined
    const endpoint = URL.parse(value)
    const isPlain = endpoint && /^https?:$/.test(endpoint.protocol) && endpoint.pathname === "/" && !endpoint.search
    if (isPlain && !endpoint.username && !endpoint.password && !endpoint.hash) return endpoint.origin
    throw refuse(`${name} must be an http or https address without a path`)
  }
  const segments = decodeURIComponent(url.pathname).split("/").filter(Boolean)
  if (segments.some((segment) => !/^[\w.!*'()-]+$/.test(segment) || /^\.+$/.test(segment)))
    throw refuse("a prefix is made of letters, digits and - _ . ! * ' ( ), and slashes between them")
  const [endpoint, publicEndpoint] = [endpointOf("endpoint"), endpointOf("publicEndpoint")]
  return {
    bucket: url.hostname,
    prefix: segments.map((segment) => `${segment}/`).join(""),
    endpoint,
    publicEndpoint: publicEndpoint ?? endpoint,
    region: url.searchParams.get("region") || undefined,
  }
}
