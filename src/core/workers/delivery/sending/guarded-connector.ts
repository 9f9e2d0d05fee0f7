import { buildConnector } from "undici"
import type { AddressGuard } from "./address-guard.ts"
import { skipContinue } from "./skip-continue.ts"

/**
 * Resolves and checks a host once, then connects to one of the checked addresses, even if DNS changes later. `timeout` is the
 * timeout of connecting, in milliseconds.
 */
export function createGuardedConnector(guard: AddressGuard, timeout: number): buildConnector.connector {
  return (options, callback) => {
    const isLiteral = options.hostname.includes(":") && !options.hostname.startsWith("[")
    const host = isLiteral ? `[${options.hostname}]` : options.hostname
    guard(`${options.protocol}//${host}${options.port ? `:${options.port}` : ""}/`).then(
      (addresses) => {
        const checked = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
        const lookup = (_name: string, { all }: { all?: boolean }, done: (...result: unknown[]) => void) =>
          all ? done(null, checked) : done(null, checked[0]?.address, checked[0]?.family)
        const connect = buildConnector({ timeout, lookup, autoSelectFamily: true } as buildConnector.BuildOptions)
        connect(options, (...connected) =>
          connected[0] ? callback(...connected) : callback(null, skipContinue(connected[1])),
        )
      },
      (error) => callback(error, null),
    )
  }
}
