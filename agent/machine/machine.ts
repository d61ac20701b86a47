import type { AuditPort } from '#contract/vocabulary/audit.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import type { NewItem } from '../journal/items.ts'
import { type TransferFaultCode, transferFaults } from '../line/transfer-fault.ts'
import { PortLostError } from '../ports/run-session.ts'

/** A whole file, or why there is none. */
export type Reading = { file: Uint8Array; port: AuditPort } | { fault: TransferFaultCode | 'port'; text: string }

/** The machine beside the agent. Readings are done one after another. */
export interface Machine {
  /** Reads the machine and reports its audit. `isCollection` reads the list after which counters of the interval are reset. */
  read(origin: number, isCollection?: boolean): Promise<Reading>
  /** Resolves when no reading is under way. */
  idle(): Promise<unknown>
}

export interface MachineParts {
  /** One reading over the port. Throws when the port cannot be used. */
  transfer(isCollection: boolean): Promise<Reading>
  report(...items: NewItem[]): void
  /** Aborted when the agent stops: a reading that it ends is no fault of the machine. */
  signal: AbortSignal
  now?: () => number
}

/** The event of a machine that cannot be read. It ends with the next reading. */
const unreadable = 'AGENT_READ'

export function openMachine({ transfer, report, signal, now = Date.now }: MachineParts): Machine {
  let last = Promise.resolve<unknown>(undefined)
  let fault: string | undefined

  async function readNow(origin: number, isCollection: boolean): Promise<Reading> {
    const reading = await transfer(isCollection).catch((error: unknown) => {
      signal.throwIfAborted()
      return portFault(error)
    })
    const at = now()
    if ('fault' in reading) {
      if (fault !== reading.fault)
        report({ kind: 'event', at, code: unreadable, active: true, message: reading.text, detail: reading.fault })
      fault = reading.fault
      return reading
    }
    const data = Buffer.from(reading.file).toString('base64')
    const ended: NewItem[] = fault === undefined ? [] : [{ kind: 'event', at, code: unreadable, active: false }]
    report({ kind: 'audit', at, origin, port: reading.port, data }, ...ended)
    fault = undefined
    return reading
  }

  return {
    read(origin, isCollection = false) {
      const reading = last.then(() => readNow(origin, isCollection))
      last = reading.catch(() => {})
      return reading
    },
    idle: () => last,
  }
}

/** The system's own words say what is wrong with a port: it is busy, absent, or not allowed. */
function portFault(error: unknown): Reading {
  if (!(error instanceof Error)) throw error
  const text = error instanceof PortLostError ? `The port was lost: ${error.message}` : error.message
  return { fault: 'port', text }
}

export const faultReading = (fault: TransferFaultCode): Reading => ({ fault, text: transferFaults[fault] })

/** Totals of a file with their names in EVA-DTS, for the result of a command. */
export function totalsOf(file: Uint8Array): string {
  const { sales, payments } = readAudit(file)
  const totals: [string, number | null | undefined][] = [
    ['VA101', sales.paid?.sinceInitialisation.value],
    ['VA102', sales.paid?.sinceInitialisation.count],
    ['CA201', payments.cash?.sinceInitialisation.value],
  ]
  const known = totals.filter(([, value]) => value !== null && value !== undefined)
  return known.length > 0 ? known.map(([name, value]) => `${name}=${value}`).join(' ') : 'no totals'
}
