import type { z } from 'zod'
import { commandParameters } from '#contract/commands/command-parameters.ts'
import type { RemoteCommandTypeName, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import type { MachineMemory } from './memory.ts'
import { forgetOwn, ownStateOf, settingsOf, takeOn } from './own-state.ts'
import type { MachinePlan } from './plan.ts'
import { isOfKeys } from './stock-report.ts'
import type { Vending } from './vending.ts'

/** A machine cannot execute a command, with the reason. */
export class CannotError extends Error {}

/** What a command does; what it answers is the machine's word about it. */
export type Duty = (parameters: Record<string, unknown>) => string | undefined

type Parameters = typeof commandParameters
type Numbers = typeof remoteCommandTypes
/** The number of a command by its name. */
type NumberOf<N extends RemoteCommandTypeName> = {
  [T in keyof Numbers]: Numbers[T] extends N ? T : never
}[keyof Numbers]
type Duties = {
  [N in RemoteCommandTypeName]: (parameters: z.output<Parameters[NumberOf<N>]>) => string | undefined
}

const requested = 2
const collected = 4
/** A result's text is cut before its limit. */
const longestInfo = 1900
const cut = (text: string) => (text.length > longestInfo ? `${text.slice(0, longestInfo)}…` : text)

/**
 * What a machine does at each command. Files are not fetched: a virtual machine has nothing to install them in, and takes over
 * the version that the command names.
 */
export function dutiesOf(machine: {
  plan: MachinePlan
  /** As its maker made it. */
  makers: MachinePlan
  memory: MachineMemory
  vending: Vending
  sayHello(): void
  /** Off and on again, soon after it has answered. */
  restart(): void
}): Duties {
  const { plan, makers, memory, vending } = machine
  const own = () => ownStateOf(memory)
  const configuration = () => settingsOf(makers, memory)
  const install = (what: string, version: string) => {
    own().versions[what] = version
    return `${what} ${version}`
  }
  return {
    readAudit: () => void vending.audit(Date.now(), requested),
    readAlarms: () => memory.faults.map(({ code }) => code).join(' ') || 'none',
    readCounters() {
      vending.audit(Date.now(), requested)
      return countersOf(memory)
    },
    restart() {
      machine.restart()
      return undefined
    },
    sendCredit: ({ amount }) => void vending.addCredit(Date.now(), amount),
    sendConfig({ settings }) {
      Object.assign(own().settings, settings)
      vending.reportConfiguration(Date.now(), configuration())
      return `settings ${Object.keys(settings).length}`
    },
    refundCash({ amount }) {
      if (!vending.payOut(Date.now(), amount)) throw new CannotError('E-61 not enough change')
      return `paid ${amount}`
    },
    readBootInfo() {
      machine.sayHello()
      return undefined
    },
    readConfig: () => void vending.reportConfiguration(Date.now(), configuration()),
    sendPrices({ prices }) {
      const { prices: changed } = own()
      const known = prices.map((one) => {
        const selection = plan.selections.find(({ line }) => line === one.priceLine)
        if (!selection) throw new CannotError(`E-31 no selection ${one.priceLine}`)
        return { ...one, selection }
      })
      for (const { priceTable, price, selection } of known) {
        const before = changed[selection.line] ?? { price: selection.price, keyPrice: selection.keyPrice }
        changed[selection.line] = {
          price: priceTable === undefined || !isOfKeys(priceTable) ? price : before.price,
          keyPrice: priceTable === undefined || isOfKeys(priceTable) ? price : before.keyPrice,
        }
      }
      takeOn(plan, makers, memory)
      vending.reportPrices(Date.now())
      return `prices ${prices.length}`
    },
    updateFirmware({ version }) {
      own().firmwareVersion = version
      takeOn(plan, makers, memory)
      machine.restart()
      return `firmware ${version}`
    },
    resetDefaults() {
      forgetOwn(memory)
      takeOn(plan, makers, memory)
      machine.restart()
      return undefined
    },
    updateDatabase: ({ version }) => install('cash', version),
    updatePeripheralFirmware: ({ peripheral, version }) => install(`${peripheral} firmware`, version),
    updatePeripheralDatabase: ({ peripheral, version }) => install(`${peripheral} database`, version),
    updateAccounting: () => void vending.closeInterval(Date.now(), collected),
    readPrices() {
      vending.reportPrices(Date.now())
      return cut(plan.selections.map(({ line, price }) => `${line}=${price}`).join(' '))
    },
    readStock() {
      vending.reportStock(Date.now())
      const levels = plan.selections.map(({ line, capacity }, at) => `${line}=${memory.stock[at] ?? 0}/${capacity}`)
      return cut(levels.join(' '))
    },
    sendVpConfig: ({ name }) => install('display', name),
  }
}

/** The machine's totals in the words of EVA-DTS: vends and their value, and what was paid in cash. */
function countersOf({ sold }: MachineMemory): string {
  const sum = (of: (one: MachineMemory['sold'][number]) => number) => sold.reduce((total, one) => total + of(one), 0)
  return `VA102=${sum(({ count }) => count)} VA101=${sum(({ value }) => value)} CA201=${sum(({ cashValue }) => cashValue)}`
}

/** A machine's duty by a command's number, its parameters read by the contract; nothing for a number that it does not know. */
export function dutyOf(duties: Duties, type: number, names: Record<number, RemoteCommandTypeName>): Duty | undefined {
  const name = names[type]
  if (!name) return undefined
  return (parameters) => {
    const read = commandParameters[type as keyof Parameters].safeParse(parameters)
    if (!read.success) throw new CannotError('E-30 parameters not understood')
    // Which duty takes which parameters the compiler knows by name alone.
    return (duties[name] as (parameters: unknown) => string | undefined)(read.data)
  }
}
