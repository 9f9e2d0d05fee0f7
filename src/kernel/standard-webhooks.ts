/** What a webhook's secrets begin with (Standard Webhooks 1.0); the base64 of the key follows. */
export const secretPrefix = "whsec_"

/** What is signed (Standard Webhooks 1.0); `timestamp` in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number | string, body: string): string =>
  `${id}.${timestamp}.${body}`
