import type { Doors } from '#database/frame/tenant.ts'
import { markSecretUsed } from '#database/machines/association.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { LeftUndone } from './log.ts'
import type { Announce } from './store-batch.ts'

/** Ends what could still renew a machine's secret, since it has the newest one. */
export function noteSecretUse(
  machine: KnownMachine,
  { doors, announce, leftUndone }: { doors: Doors; announce: Announce; leftUndone: LeftUndone },
): void {
  if (machine.isSecretUsed) return
  machine.isSecretUsed = true
  markSecretUsed(doors, machine, machine.secretHash).then(
    () => announce(machine.merchantId, 'machine', machine.id),
    (error: unknown) => {
      machine.isSecretUsed = false
      leftUndone('A machine’s new secret is not marked as used; its next message tries again')(error)
    },
  )
}

/** The epoch of a message, as far as it can be read. */
export function epochIn(payload: Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(payload).toString()) as { epoch?: unknown } | null)?.epoch
  } catch {
    // The receiver reports the fault to the machine.
    return undefined
  }
}
