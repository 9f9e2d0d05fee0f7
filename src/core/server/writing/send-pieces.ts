import type { ServerResponse } from "node:http"

/** Larger bodies are sent in pieces of this size, in bytes. */
export const pieceBytes = 64 * 1024

/** Sends a body piece by piece, each after the client has taken the one before, which shows how fast it reads. */
export function sendPieces(response: ServerResponse, bytes: Buffer): void {
  let sent = 0
  const sendOn = () => {
    let isTaken = true
    while (isTaken) {
      const piece = bytes.subarray(sent, sent + pieceBytes)
      sent += piece.length
      if (sent === bytes.length) {
        response.off("drain", sendOn).end(piece)
        return
      }
      isTaken = response.write(piece)
    }
  }
  response.on("drain", sendOn)
  sendOn()
}
