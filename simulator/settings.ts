import { currencies } from '#contract/vocabulary/world/currencies.ts'
import type { MachinePlan } from './plan.ts'
import { fixedChance } from './random.ts'

/** The factory settings of a machine. */
export function makersSettings(plan: MachinePlan): Record<string, string> {
  const digits = currencies[plan.currency].storageDigits
  const amount = (minor: number) => (minor / 10 ** digits).toFixed(digits)
  const pick = (name: string, ...values: string[]) =>
    values[Math.floor(fixedChance(`${plan.serial} ${name}`) * values.length)] as string
  return {
    'audit.hour': String(Math.floor(plan.auditMinute / 60)).padStart(2, '0'),
    'cash.acceptBills': plan.bills.length > 0 ? 'yes' : 'no',
    'cash.boxCapacity': amount(plan.boxCapacity),
    ...(plan.bills.length > 0 && { 'cash.largestBill': amount(plan.bills.at(-1) ?? 0) }),
    'cashless.revalue': 'yes',
    'cashless.timeoutSeconds': pick('cashless', '30', '45', '60'),
    'change.exactChangeBelow': amount(plan.coins[0] ? plan.coins[0] * 20 : 0),
    'change.tubes': String(plan.tubes),
    'clock.daylightSaving': 'automatic',
    'display.brightness': '80',
    'display.greeting': 'Gettone',
    'display.timeoutSeconds': '20',
    'door.alarmSeconds': '120',
    'energy.nightFrom': '23:00',
    'energy.nightTo': '05:30',
    'machine.kind': plan.kind,
    'light.cabinet': pick('light', 'always', 'day', 'motion'),
    'sale.maximumCredit': amount((plan.recharges.at(-1) ?? 2000) * 2),
    'sale.multiVend': pick('multi', 'yes', 'no'),
    'sale.retries': '2',
    'telemetry.apn': 'm2m.gettone.example',
    'telemetry.reportMinutes': '5',
    ...(plan.kind === 'hot'
      ? { 'water.boilerTemperature': '92', 'water.purgeHours': '8', 'water.hardness': pick('water', '2', '3', '4') }
      : { 'temperature.setPoint': plan.kind === 'cold' ? '4.0' : '9.0', 'temperature.alarmAbove': '14.0' }),
  }
}
