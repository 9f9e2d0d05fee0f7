type Cookie = {
  name: string
  value: string
  path: string
  /** A session cookie when absent; 0 removes it. */
  maxAgeSeconds?: number
  /** `lax` also sends it with navigation from another site; without it the cookie is strict. */
  sameSite?: "lax"
  secure: boolean
}

/** The value of `Set-Cookie` (RFC 6265) for a cookie that scripts cannot read and forms of other sites do not send. */
export const setCookie = ({ name, value, path, maxAgeSeconds, sameSite, secure }: Cookie): string =>
  [
    `${name}=${value}`,
    `path=${path}`,
    ...(maxAgeSeconds === undefined ? [] : [`max-age=${maxAgeSeconds}`]),
    `samesite=${sameSite ?? "strict"}`,
    ...(secure ? ["secure"] : []),
    "httponly",
  ].join("; ")

export const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
