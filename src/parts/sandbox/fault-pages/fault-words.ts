import {
  type Breakage,
  earlyBreakages,
  type HoldFault,
  holdFaults,
  lateBreakages,
  type TokenFault,
  tokenFaults,
  type WebhookFaultKind,
  webhookFaultKinds,
} from "../faults/contract.ts"

const requestWords: Record<Breakage | HoldFault, string> = {
  drop: "closes the connection; nothing is carried out",
  reset: "resets the connection; nothing is carried out",
  html: "responds as a proxy, with a 502 and a page; nothing is carried out",
  lose: "carries the operation out and sends no response",
  empty: "carries it out and sends the head without the body",
  truncate: "carries it out and sends half of the body",
  garbage: "carries it out and sends a body that is not JSON",
  slow: "carries it out and sends the body over three seconds",
  hold: "holds the request until it is released, at most 30 seconds; then carries it out",
  "hold-response": "carries it out and holds the response until it is released, at most 30 seconds",
}

const tokenWords: Record<TokenFault, string> = {
  expired: "issues tokens that have expired",
  "wrong-issuer": "issues an ID token of another issuer",
  "wrong-audience": "issues an ID token for another client",
  "bad-signature": "changes the signature of the ID token",
  "unpublished-key": "signs the ID token with a key that is not published",
}

const webhookWords: Record<WebhookFaultKind, string> = {
  duplicate: "sends the message twice",
  reordered: "sends it after the next message",
  delayed: "sends it five seconds late",
  forged: "signs it with another secret",
  stale: "makes it an hour old",
  truncated: "sends half of its body",
  slow: "sends its body over three seconds",
  down: "does not send it, as to a receiver that accepts no connection",
}

/** Each fault as a rule names it, and what it does. */
const faultWords: readonly (readonly [fault: string, words: string])[] = [
  ["code=503", "refuses with this status, or code of a problem"],
  ["code=429; retry-after=3", "refuses and asks to wait"],
  ["wait=2", "delays the response by two seconds"],
  ["wait=0.3; jitter=0.2", "delays it by 0.1 to 0.5 seconds"],
  ...[...earlyBreakages, ...lateBreakages, ...holdFaults].map((name) => [`fault=${name}`, requestWords[name]] as const),
  ...tokenFaults.map((name) => [`token=${name}`, tokenWords[name]] as const),
  ...webhookFaultKinds.map((name) => [`webhook=${name}`, webhookWords[name]] as const),
]

/** What a fault does, as far as a single one has words. */
export const wordsOfFault = (fault: string | undefined): string =>
  fault === undefined ? "any fault that a correct client can encounter" : (new Map(faultWords).get(fault) ?? fault)

/** The faults that a form offers, with their words, by the value of the choice. */
export const faultChoices: Readonly<Record<string, string>> = {
  ...Object.fromEntries(faultWords.map(([fault, words]) => [fault, `${fault}: ${words}`])),
  any: `Any: ${wordsOfFault(undefined)}`,
  other: "Another one, or several",
}
