import type { Attempt } from "../../../../core/domain/webhooks/deliveries/contract.ts"

export const outcomeOf = ({ status, error }: Pick<Attempt, "status" | "error">): string =>
  status !== undefined ? `${status}${error === "redirect" ? ", a redirect" : ""}` : failures[error ?? "reset"]

const failures: Record<NonNullable<Attempt["error"]>, string> = {
  dns: "name not found",
  "refused-address": "address not allowed",
  connect: "no connection",
  tls: "TLS failed",
  timeout: "no response in time",
  reset: "connection lost",
  "malformed-response": "no HTTP response",
  redirect: "a redirect",
  status: "unsuccessful status",
  "unreadable-secret": "secret cannot be decrypted",
}
