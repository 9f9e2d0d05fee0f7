import { isDocumentUrl } from "./clients.ts"

const lengthMax = 100
/** Control, format and other invisible characters: some change the direction of the text around them. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]+/gu

/**
 * The name of an application as pages show it, in at most 100 characters and without invisible ones. A document at a URL is no proof of a
 * name: its host comes first. The end of a host is what its owner has registered.
 */
export function nameOfClient(clientId: string, claimed = ""): string {
  const name = claimed
    .slice(0, 10 * lengthMax)
    .replace(/\s+/g, " ")
    .replace(invisible, "")
    .trim()
  if (!isDocumentUrl(clientId)) return shorten(name || clientId, lengthMax)
  const { host } = new URL(clientId)
  const left = lengthMax - host.length - " ()".length
  if (left <= 0) return host.length > lengthMax ? `…${host.slice(1 - lengthMax)}` : host
  return name ? `${host} (${shorten(name, left)})` : host
}

/** Its first characters; none is cut in half. */
const shorten = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "")
