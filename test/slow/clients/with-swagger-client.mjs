import SwaggerClient from "swagger-client"

/** Calls operations by operationId with swagger-client, which uses only the description; resolves with the status of each. */
export async function callAll(url, key, calls) {
  const client = await SwaggerClient({ url, authorizations: { api_key: key } })
  const statuses = {}
  for (const call of calls) {
    const response = await client.execute(call).catch((error) => {
      if (!error.response) throw error
      return error.response
    })
    statuses[call.operationId] = response.ok ? response.status : response.text
  }
  return statuses
}
