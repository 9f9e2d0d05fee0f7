/** The entry point `@petstore-service/petstore/webhooks`. */
export type { WebhookMessage, WebhookOptions } from "../client/receiving/webhooks.ts"
export { verifyWebhook, WebhookRefused } from "../client/receiving/webhooks.ts"
