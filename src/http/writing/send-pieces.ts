import type { ServerResponse } from "node:http"

/** Bodies above this are sent in pieces of it, in bytes. */
export const pieceBytes = 64 * 1024

/** Sends a body piece by piece, each when the one before was taken, so that it shows how fast the client reads. */
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
