import type { Doors } from '#database/frame/tenant.ts'
import { markSecretUsed } from '#database/machines/association.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { LogFailure } from '../log/once-log.ts'
import type { Announce } from './store-batch.ts'

/** Closes all ways to renew a machine's secret, since the machine has the newest one. */
export function noteSecretUse(
  machine: KnownMachine,
  { doors, announce, logFailure }: { doors: Doors; announce: Announce; logFailure: LogFailure },
): void {
  if (machine.isSecretUsed) return
  machine.isSecretUsed = true
  markSecretUsed(doors, machine, machine.secretHash).then(
    () => announce(machine.merchantId, 'machine', machine.id),
    (error: unknown) => {
      machine.isSecretUsed = false
      logFailure('A machine’s new secret is not marked as used; its next message tries again')(error)
    },
  )
}

/** The epoch of a message, if it can be read. */
export function epochIn(payload: Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(payload).toString()) as { epoch?: unknown } | null)?.epoch
  } catch {
    // The receiver reports the fault to the machine.
    return undefined
  }
}
