import { beginningRate, readMachine } from '../audit/read-machine.ts'
import type { DdcmpReading } from '../ddcmp/carrier.ts'
import type { DexReading } from '../dex/carrier.ts'
import { openSession, type TransferOutcome } from '../line/session.ts'
import { type PortSettings, readingOptions, serialSettings } from './port-settings.ts'
import { runSession } from './run-session.ts'
import { openSerialPort } from './serial-port.ts'

/** Readings of one command, each from the beginning. */
const attempts = 3

/** Opens the port, reads the machine, and closes the port: a machine vends again only when the carrier is away (EVA-DTS 6.1, chapter 7.3.2). */
export async function readPort(
  settings: PortSettings,
  identity: { id: string; clock: string },
  signal?: AbortSignal,
): Promise<TransferOutcome<DexReading | DdcmpReading>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await readOnce(settings, identity, signal)
    // A dead port is so the next moment too, and a refusal is an answer.
    const isWorthAgain =
      !outcome.isDone && ['stalled', 'aborted', 'notAccepted', 'doubtful', 'busy'].includes(outcome.fault)
    if (!isWorthAgain || attempt === attempts) return outcome
  }
}

async function readOnce(settings: PortSettings, identity: { id: string; clock: string }, signal?: AbortSignal) {
  const port = await openSerialPort(serialSettings(settings))
  try {
    const options = readingOptions(settings, identity)
    return await runSession(
      port,
      openSession(beginningRate[settings.protocol], (line) => readMachine(line, options)),
      signal,
    )
  } finally {
    await port.close()
  }
}
