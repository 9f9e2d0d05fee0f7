import type { Backup } from "../command.ts"

/** The exit code of a command that worked, on a backup that lacks images. */
export const lacksImages = 3

const namedMax = 20

/** Names the images that a backup lacks, a line each; empty when it has all of them. */
export function describeMissing({ missing = [] }: Backup): string {
  if (missing.length === 0) return ""
  const named = missing
    .slice(0, namedMax)
    .map(({ sha256, key, reason }) => `${reason.padEnd(8)} image ${sha256}, key ${key}\n`)
  const others = missing.length - named.length
  return (
    `The backup lacks the files of ${missing.length === 1 ? "an image" : `${missing.length.toLocaleString("en")} images`} to which pets refer:\n` +
    named.join("") +
    (others > 0 ? `and ${others.toLocaleString("en")} more, which manifest.json names\n` : "")
  )
}
