import { setTimeout as pause } from 'node:timers/promises'
import { beginningRate, readMachine } from '../audit/read-machine.ts'
import type { DdcmpReading } from '../ddcmp/carrier.ts'
import type { DexReading } from '../dex/carrier.ts'
import { openSession, type TransferOutcome } from '../line/session.ts'
import type { TransferFaultCode } from '../line/transfer-fault.ts'
import { type PortSettings, readingOptions, serialSettings } from './port-settings.ts'
import { runSession } from './run-session.ts'
import { openSerialPort } from './serial-port.ts'

/**
 * Pauses before another attempt, in milliseconds. A machine that was left in the middle of a session, by a power cut of ours, first gives up that
 * one: it repeats what has no answer for some seconds.
 */
const pauses = [7000, 15_000] as const

/** Faults of a moment. A dead port stays dead, and a refusal is an answer. */
const passing: ReadonlySet<TransferFaultCode> = new Set([
  'stalled',
  'aborted',
  'notAccepted',
  'badAnswer',
  'contention',
  'doubtful',
  'busy',
])

/**
 * Opens the port, reads the machine, and closes the port: a machine vends again only when the carrier is away (EVA-DTS 6.1, chapter 7.3.2).
 * Throws what the system says about the port.
 */
export async function readPort(
  settings: PortSettings,
  identity: { id: string; clock: string },
  signal?: AbortSignal,
): Promise<TransferOutcome<DexReading | DdcmpReading>> {
  let outcome = await readOnce(settings, identity, signal)
  for (const ms of pauses) {
    if (outcome.isDone || !passing.has(outcome.fault)) break
    await pause(ms, undefined, { signal })
    outcome = await readOnce(settings, identity, signal)
  }
  return outcome
}

async function readOnce(settings: PortSettings, identity: { id: string; clock: string }, signal?: AbortSignal) {
  const port = await openSerialPort(serialSettings(settings))
  try {
    const options = readingOptions(settings, identity)
    const session = openSession(beginningRate[settings.protocol], (line) => readMachine(line, options))
    return await runSession(port, session, signal)
  } finally {
    await port.close()
  }
}
