import { createHash } from 'node:crypto'
import { screenDocument } from '#contract/vocabulary/configuration.ts'
import { editOneVpValue } from '../downloads/vp.ts'
import { editOnePrice, ownStateOf, settingsOf } from '../own-state.ts'
import type { MachinePlan } from '../plan.ts'
import type { Random } from '../random.ts'
import type { Vending } from '../vending.ts'

/** The origin of what a technician changed at the machine. */
const byHand = 0
/** The share of edits of prices at which the screen is edited too. */
const screenEdits = 0.3

/** Reports prices, levels and configuration of a machine that has started. `makers`: the plan of the factory. */
export function reportWares(vending: Vending, makers: MachinePlan): void {
  const { memory } = vending
  vending.reportPrices(Date.now())
  vending.reportStock(Date.now())
  const settings = settingsOf(makers, memory)
  // The same configuration again says nothing new.
  if (memory.reportedConfiguration !== JSON.stringify(settings)) {
    memory.reportedConfiguration = JSON.stringify(settings)
    vending.reportConfiguration(Date.now(), settings, 1)
  }
  const { vp } = ownStateOf(memory)
  if (vp) vending.reportVp(Date.now(), vp, 1)
}

/** A technician changes a price at the machine, and sometimes what it shows; both are reported. */
export function editByHand(at: number, vending: Vending, makers: MachinePlan, random: Random): void {
  const { plan, memory } = vending
  editOnePrice(plan, makers, memory, random)
  vending.reportPrices(at)
  const { vp, settings } = ownStateOf(memory)
  if (vp) vending.reportVp(at, editOneVpValue(vp, random), byHand)
  // Technicians who edit prices sometimes also change what the screen shows.
  if (settings[screenDocument] === undefined || !random.chance(screenEdits)) return
  settings[screenDocument] = createHash('sha256').update(`edited ${at}`).digest('hex')
  vending.reportConfiguration(at, settingsOf(makers, memory))
}
