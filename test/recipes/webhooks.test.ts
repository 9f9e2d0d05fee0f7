import { testReceiver } from "../harness/webhook-receiver.ts"

testReceiver("receiving-webhooks", "node", "WEBHOOK_SECRET=")
