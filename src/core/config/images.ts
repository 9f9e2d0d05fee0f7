import type { Bucket } from "../storage/locations.ts"
import { pathIn } from "./addresses.ts"
import { type Kind, Refusal } from "./setting.ts"

const parameters = ["endpoint", "publicEndpoint", "region"]
const noCredentials = "must hold no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
type Location = { kind: "disk"; directory: string } | ({ kind: "s3" } & Omit<Bucket, "redirects">)

/** Where images are stored. */
export const blobUrl: Kind<Location> = {
  form: "file:PATH or s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]",
  parse(text) {
    if (text.startsWith("s3:")) return bucketOf(text)
    const directory = pathIn("file:", text)
    if (directory === undefined) return new Refusal()
    return directory instanceof Refusal ? directory : { kind: "disk", directory }
  },
}

function bucketOf(text: string): Location | Refusal {
  if (text.includes("@")) return new Refusal({ reason: noCredentials, isSecret: true })
  const url = URL.parse(text)
  if (!url || url.hash || url.port || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) return new Refusal()
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) return new Refusal({ reason: `${unknown} is none of ${parameters.join(", ")}` })
  const segments = decodeURIComponent(url.pathname).split("/").filter(Boolean)
  if (segments.some((segment) => !/^[\w.!*'()-]+$/.test(segment) || /^\.+$/.test(segment)))
    return new Refusal({ reason: "a prefix is made of letters, digits and - _ . ! * ' ( ), and slashes between them" })
  const wrong = ["endpoint", "publicEndpoint"].find((name) => originIn(url, name) === null)
  if (wrong) return new Refusal({ reason: `${wrong} must be an http or https address without a path` })
  const endpoint = originIn(url, "endpoint") ?? undefined
  return {
    kind: "s3",
    bucket: url.hostname,
    prefix: segments.map((segment) => `${segment}/`).join(""),
    endpoint,
    publicEndpoint: originIn(url, "publicEndpoint") ?? endpoint,
    region: url.searchParams.get("region") || undefined,
  }
}

/** The origin in a parameter; undefined when absent, null when it is not just an origin. */
function originIn({ searchParams }: URL, name: string): string | undefined | null {
  const value = searchParams.get(name)
  if (value === null) return undefined
  const url = URL.parse(value)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash
  return isPlain && !url.username && !url.password ? url.origin : null
}
