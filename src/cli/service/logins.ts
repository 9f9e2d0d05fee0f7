import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

type Login = {
  username: string
  token: string
  /** Expiry of the token, RFC 3339; null when unknown. */
  expiresAt: string | null
}

export function readLogin(stateDir: string, url: string): Login | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(stateDir, url), "utf8"))
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/** Replaces the stored login; the file is readable only by this user. */
export function saveLogin(stateDir: string, url: string, login: Login): void {
  const file = fileOf(stateDir, url)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: "wx" })
  renameSync(temporary, file)
}

export const deleteLogin = (stateDir: string, url: string): void => rmSync(fileOf(stateDir, url), { force: true })

const fileOf = (stateDir: string, url: string): string => join(stateDir, "logins", `${encodeURIComponent(url)}.json`)
