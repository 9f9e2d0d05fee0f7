/** The entity tags in a header, weak ones with their `W/`; "*" for any. */
export type EntityTags = readonly string[] | "*"

/** The conditions of a request (RFC 9110 section 13.1); undefined where it has none. */
export type Preconditions = {
  readonly ifMatch?: EntityTags | undefined
  readonly ifNoneMatch?: EntityTags | undefined
}

/** Why a request on an existing resource must not be performed; undefined when it may. `etag` is undefined where the resource has none. */
export function failedPrecondition(
  { ifMatch, ifNoneMatch }: Preconditions,
  etag: string | undefined,
): string | undefined {
  if (ifMatch !== undefined && ifMatch !== "*") {
    if (etag === undefined) return "The resource has no ETag: If-Match can only be *"
    if (!ifMatch.includes(etag)) return isWeakly(ifMatch, etag) ? weak(etag) : `It has changed: its ETag is now ${etag}`
  }
  if (ifNoneMatch === "*") return "The resource exists, which If-None-Match: * excludes"
  if (etag !== undefined && (ifNoneMatch?.includes(etag) || isWeakly(ifNoneMatch, etag)))
    return `Its ETag is ${etag}, which If-None-Match excludes`
  return undefined
}

const isWeakly = (tags: EntityTags | undefined, etag: string): boolean => tags?.includes(`W/${etag}`) === true

const weak = (etag: string): string =>
  `If-Match has the weak tag W/${etag}, which never matches; proxies that compress responses make tags weak. Send ${etag}.`
