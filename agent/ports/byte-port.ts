/** A port that sends and receives bytes. */
export interface BytePort {
  write(bytes: Uint8Array): void
  /** Changes the speed after everything written is out. */
  setRate(baud: number): Promise<void>
  /** There is one listener: of the session that runs. */
  listen(received: (bytes: Uint8Array) => void, lost: (error: Error) => void): void
  close(): Promise<void>
}

/** A port that hears what it sends, as an infrared head or a single wire does: the echo is taken out. */
export function withoutEcho(port: BytePort): BytePort {
  let expected: number[] = []
  return {
    ...port,
    write(bytes) {
      expected.push(...bytes)
      port.write(bytes)
    },
    listen(received, lost) {
      port.listen((bytes) => {
        const strange = bytes.findIndex((byte, index) => byte !== expected[index])
        const echoed = strange === -1 ? Math.min(bytes.length, expected.length) : strange
        // A byte that differs is the other side's, and the rest of the echo was lost.
        expected = echoed < bytes.length ? [] : expected.slice(echoed)
        if (echoed < bytes.length) received(bytes.subarray(echoed))
      }, lost)
    },
  }
}
