import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { startFleet } from '#simulator/fleet.ts'

/**
 * A connected simulated machine without troubles and without own sales, until the test ends. Returns its fleet, through which customers
 * act, and its selections; prices are those of a merchant in euros.
 */
export async function aSimulatedMachine({ serial, secret }: { serial: string; secret: string }, broker: string) {
  const [model] = planFleet({ seed: serial, machines: 40, salesPerDay: 1, secretKey: '' }).filter(
    ({ merchant }) => merchant.currency === 'EUR',
  )
  if (!model) throw new Error('No machine was planned')
  const selections = model.plan.selections.map((one) => ({ ...one, capacity: 1e4 }))
  const sound = {
    trouble: 1e-9,
    driftSeconds: 0,
    behaviour: 'success' as const,
    rhythm: model.plan.rhythm.map(() => 0),
  }
  const plan = { ...model.plan, ...sound, selections, serial, secret }
  const folder = mkdtempSync(join(tmpdir(), 'gettone-simulated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fleet = startFleet({ members: [{ plan, lastSeq: 0 }], broker, folder })
  onTestFinished(() => fleet.stop())
  const until = { timeout: 20_000, interval: 100 }
  await vi.waitFor(() => expect(fleet.machines.get(serial)?.isConnected()).toBe(true), until)
  return { fleet, selections }
}
