import { SerialPort } from 'serialport'
import { type BytePort, withoutEcho } from './byte-port.ts'

export interface SerialSettings {
  /** `/dev/ttyUSB0`, or a name under `/dev/serial/by-id`, which stays the same. */
  path: string
  baud: number
  /** The adapter hears what it sends: infrared heads, and adapters with one wire. */
  hasEcho?: boolean
}

/** Opens a serial port with eight data bits, without parity, for this program alone. */
export async function openSerialPort({ path, baud, hasEcho }: SerialSettings): Promise<BytePort> {
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false, lock: true })
  await settled((done) => port.open(done))
  let received = (_: Uint8Array) => {}
  let lost = (_: Error) => {}
  port.on('data', (bytes: Buffer) => received(bytes))
  port.on('error', (error) => lost(error))
  port.on('close', (error: Error | null) => lost(error ?? new Error(`${path} was closed`)))
  const bytePort: BytePort = {
    write: (bytes) => void port.write(Buffer.from(bytes)),
    async setRate(baudRate) {
      await settled((done) => port.drain(done))
      await settled((done) => port.update({ baudRate }, done))
    },
    listen(onBytes, onLost) {
      received = onBytes
      lost = onLost
    },
    close: () => (port.isOpen ? settled((done) => port.close(done)) : Promise.resolve()),
  }
  return hasEcho ? withoutEcho(bytePort) : bytePort
}

/** A promise of a call that takes a callback. */
const settled = (call: (done: (error: Error | null | undefined) => void) => void) =>
  new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve())))
