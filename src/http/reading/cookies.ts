type Cookie = {
  name: string
  value: string
  path: string
  /** With the browser, when absent; 0 removes it. */
  maxAgeSeconds?: number
  /** Whether requests that begin at another site bring it along, when they only read; never, when absent. */
  sameSite?: "lax"
  secure: boolean
}

/** `Set-Cookie` (RFC 6265) for a cookie no script sees and no other site's form brings along. */
export const setCookie = ({ name, value, path, maxAgeSeconds, sameSite, secure }: Cookie): string =>
  [
    `${name}=${value}`,
    `path=${path}`,
    ...(maxAgeSeconds === undefined ? [] : [`max-age=${maxAgeSeconds}`]),
    `samesite=${sameSite ?? "strict"}`,
    ...(secure ? ["secure"] : []),
    "httponly",
  ].join("; ")

/** The value of a cookie in the header `Cookie`. */
export const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
