/** What a person at the terminal is told when the sandbox is ready. */
export const welcome = (url: string, file: string): string => `
  Petstore is ready, with the sandbox's sample pets.

    Service    ${url}/api/v3
    Reference  ${url}/docs
    Data       ${file}

  See a pet:

    curl -H 'api_key: special-key' ${url}/api/v3/pet/1

`

/** Tells production's first key to whoever sits at the terminal, and where it is to everybody else; nothing without one. */
export function firstKey(secret: string | undefined, file: string, isTerminal: boolean): string {
  if (secret === undefined) return ""
  if (!isTerminal) return `The first API key, with every scope, is in ${file}. Keep it and delete that file.\n`
  return `\nThe first API key, with every scope:\n\n  ${secret}\n\nIt is in ${file} too; keep it and delete that file.\n\n`
}

/** The address to reach a server at, from where it listens; one that listens everywhere is reached as localhost. */
export function addressOf(listening: unknown, host: string): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return `http://${reachable}:${(listening as { port: number }).port}`
}
