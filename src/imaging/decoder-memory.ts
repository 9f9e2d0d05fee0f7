const MiB = 1024 * 1024

/** What the service's own process is given before decoders get anything; it holds half of that under load. */
export const serviceBytes = 512 * MiB
/** A decoder that holds more than this after a job is replaced by a fresh one, which holds 86 MiB. */
export const retirementBytes = 192 * MiB
/** The most a decoder may take: an AVIF of 49 megapixels and 12 bits with transparency adds 1,181 MiB to what it holds. */
export const decoderBytesMax = retirementBytes + 1184 * MiB
/** The least a decoder gets, however little there is. */
const decoderBytesMin = 256 * MiB
const processesMax = 2

type DecoderMemory = {
  /** How many processes decode at once, one image each. */
  processes: number
  /** Of one process. */
  memoryBytesMax: number
}

/** As many decoders as fit beside the service, each with room for any image; where not even one does, a smaller one. */
export function decodersWithin(memoryBytes: number): DecoderMemory {
  const room = memoryBytes - serviceBytes
  const fitting = Math.floor(room / decoderBytesMax)
  return {
    processes: Math.min(processesMax, Math.max(1, fitting)),
    memoryBytesMax: Math.min(decoderBytesMax, Math.max(decoderBytesMin, room)),
  }
}
