/** The JSON Pointer (RFC 6901) to a member of the value at another pointer. */
export const memberAt = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
