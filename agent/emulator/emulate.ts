import { beginningRate } from '../audit/read-machine.ts'
import { serveByDdcmp } from '../ddcmp/machine.ts'
import { serveByDex } from '../dex/machine.ts'
import { openSession } from '../line/session.ts'
import type { BytePort } from '../ports/byte-port.ts'
import { runSession } from '../ports/run-session.ts'
import type { Disturbance } from './disturbance.ts'

export interface EmulatedMachine {
  protocol: 'dex' | 'ddcmp'
  /** DEX. */
  role: 'master' | 'slave'
  /** DDCMP: the highest speed. */
  baud?: number
  serial: string
  /** The audit of this moment: each reading has its own. */
  file(): Uint8Array
}

/** Sends through a disturbance: what a bad line would deliver. Delays are left to the real line. */
function disturbedPort(port: BytePort, disturb: Disturbance): BytePort {
  let index = 0
  return {
    ...port,
    write(bytes) {
      const arrived = [...bytes].flatMap((byte) =>
        disturb(byte, { from: 'machine', index: index++, at: performance.now() }).flatMap((one) =>
          one.isEcho ? [] : [one.byte],
        ),
      )
      port.write(Uint8Array.from(arrived))
    },
  }
}

/** Is a machine on a port: gives out its audit to one reader after another, until `signal`. `read` is called after each whole reading. */
export async function emulate(
  port: BytePort,
  machine: EmulatedMachine,
  { signal, read, disturb }: { signal: AbortSignal; read?(): void; disturb?: Disturbance },
): Promise<void> {
  const { protocol, serial, role, baud } = machine
  const line = disturb ? disturbedPort(port, disturb) : port
  while (!signal.aborted) {
    const file = machine.file()
    const session = openSession<void>(beginningRate[protocol], (side) =>
      protocol === 'dex' ? serveByDex(side, { file, id: serial, role }) : serveByDdcmp(side, { file, serial, baud }),
    )
    try {
      const { isDone } = await runSession(line, session, signal)
      if (protocol === 'ddcmp') await port.setRate(beginningRate.ddcmp)
      if (isDone) read?.()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
