import type { NoVendWindow } from '#contract/catalogue/no-vend-profile.ts'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { encodeNoVend } from '#domain/catalogue/no-vend.ts'
import type { DemoMachine } from '../fleet/fleet.ts'

/** Coffee, sweets and energy drinks are not sold to pupils on school mornings. */
export const unsoldCodes = new Set(['C01', 'C02', 'S14', 'S15', 'D33', 'D38'])
export const schoolHours: readonly NoVendWindow[] = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }]

export const isAtSchool = ({ sector }: DemoMachine) => sector === 'school'

/** The profile of a machine as its settings; none outside schools. */
export function noVendSettingsOf(machine: DemoMachine): Parameters {
  if (!isAtSchool(machine)) return {}
  const { selections } = machine.plan
  return encodeNoVend({
    selections: selections.filter(({ code }) => unsoldCodes.has(code)).map(({ line }) => String(line)),
    priceTables: [],
    windows: [...schoolHours],
    holidays: [],
    onHolidays: 'asUsual',
  })
}
