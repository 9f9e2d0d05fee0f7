import type { FastifyReply } from "fastify"
import type { HttpResponse } from "../../kernel/http-response.ts"

/** Sends a response that is plain data by way of Fastify. */
export function sendResponse(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  for (let index = 0; index < headers.length; index += 2)
    reply.header(headers[index] as string, headers[index + 1] as string)
  return reply.code(status).send(body)
}
