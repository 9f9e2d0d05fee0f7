import type { Greeting } from "../../../core/assembly/part.ts"
import type { Config } from "../../../core/config/config.ts"
import { locationOfData } from "../../../core/kernel/network/database-hosts.ts"
import { isLoopback } from "../../../core/kernel/network/ip-address.ts"
import type { Log } from "../../../core/observability/log.ts"

/** Says where everything is, and warns when other machines can reach it. */
export const greet = ({ database, host }: Pick<Config, "database" | "host">, url: string): Greeting => ({
  text: welcome(url, locationOfData(database), `${process.versions.node}, ${process.execPath}`),
  warn: (log) => {
    if (!isLoopback(host)) warnOfExposure(host, log)
  },
})

const welcome = (url: string, data: string, node: string): string => `
  Petstore is ready, with the sandbox's sample pets.

    Store      ${url}
    Console    ${url}/console, user admin, password admin
    Reference  ${url}/docs
    API        ${url}/api/v3
    Data       ${data}
    Node       ${node}

  See a pet:

    curl -H 'api_key: special-key' ${url}/api/v3/pet/1

`

/** Warns on standard error and in the log that other machines can reach a sandbox. */
function warnOfExposure(host: string, log: Log["log"]): void {
  process.stderr.write(`
  ┌─ WARNING ───────────────────────────────────────────────────────────────┐
    The sandbox listens on ${host}, beyond this machine. Anyone who can
    reach it has every right in it: its keys and passwords are in its
    documents. Never put anything into it that others must not see or change.

    PETSTORE_HOST=127.0.0.1 keeps it to this machine.
    PETSTORE_PROFILE=production serves others.
  └─────────────────────────────────────────────────────────────────────────┘

`)
  log.warn({ host }, "the sandbox, whose keys are public, listens beyond this machine")
}
