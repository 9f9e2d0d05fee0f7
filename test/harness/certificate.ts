import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { temporaryDirectory } from "./directory.ts"

/** Serves JSON documents by path over https on this machine, with a certificate that this process trusts from now on. Needs openssl. */
export async function serveDocuments(documents: Map<string, object>) {
  using directory = temporaryDirectory()
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(directory.path, name)) as [string, string]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  const options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", cert, ...subject]
  execFileSync("openssl", ["req", ...options], { stdio: "ignore" })
  const certificate = readFileSync(cert, "utf8")
  setDefaultCACertificates([...getCACertificates("default"), certificate])
  const requested: string[] = []
  const agents: (string | undefined)[] = []
  const server = createServer({ key: readFileSync(key), cert: certificate }, ({ url = "", headers }, response) => {
    requested.push(url)
    agents.push(headers["user-agent"])
    const document = documents.get(url)
    response.writeHead(document ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(document))
  })
  let connections = 0
  server.on("secureConnection", () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requested,
    agents,
    /** How many connections there have been. */
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
