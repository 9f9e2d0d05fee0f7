const MiB = 1024 * 1024

/** Memory reserved for the service's own process, which uses half of it under load. */
export const serviceBytes = 512 * MiB
/** A decoder that uses more than this after a job is replaced; a new one uses 86 MiB. */
export const retirementBytes = 192 * MiB
/** Memory limit of a decoder: an AVIF of 49 megapixels and 12 bits with transparency needs 1,181 MiB in addition. */
export const decoderBytesMax = retirementBytes + 1184 * MiB
/** Minimum for a decoder, even if less memory is available. */
const decoderBytesMin = 256 * MiB
const processesMax = 2

/** The decoder processes that the memory allows. */
export type DecoderMemory = {
  /** Concurrent processes, each of which decodes one image at a time. */
  processes: number
  /** Per process. */
  memoryBytesMax: number
}

/** The number of decoders that fit next to the service, each with memory for any image; at least one, which may be smaller. */
export function decodersWithin(memoryBytes: number): DecoderMemory {
  const available = memoryBytes - serviceBytes
  const fitting = Math.floor(available / decoderBytesMax)
  return {
    processes: Math.min(processesMax, Math.max(1, fitting)),
    memoryBytesMax: Math.min(decoderBytesMax, Math.max(decoderBytesMin, available)),
  }
}
