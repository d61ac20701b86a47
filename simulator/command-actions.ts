import type { z } from 'zod'
import { type SentVpConfig, sentParameters } from '#contract/commands/command-parameters.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import type { RemoteCommandTypeName, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import type { PortalAccess } from './downloads/portal-files.ts'
import { fetchScreen } from './downloads/screens.ts'
import type { Update } from './downloads/updates.ts'
import type { MachineMemory, VpState } from './memory.ts'
import { applyOwnState, ownStateOf, restoreFactory, setPrices, settingsOf } from './own-state.ts'
import { type MachinePlan, priceIn } from './plan.ts'
import type { Vending } from './vending.ts'

/** A machine cannot execute a command, with the reason. */
export class CommandFailedError extends Error {}

/** The action of a command. Returns the machine's text about the result. */
export type CommandAction = (
  parameters: Record<string, unknown>,
  during: During,
) => string | undefined | Promise<string | undefined>

/** What an action that takes a while needs. */
export interface During {
  progress(phase: UpdatePhase, percent?: number): void
  /** The machine loses its power, or is stopped. */
  signal: AbortSignal
}

type Parameters = typeof sentParameters
type Numbers = typeof remoteCommandTypes
type CommandActions = {
  [N in RemoteCommandTypeName]: (
    parameters: z.output<Parameters[Numbers[N]]>,
    during: During,
  ) => string | undefined | Promise<string | undefined>
}

/** A hello follows the result of an update. */
const helloAfterMs = 500

const requested = 2
const collected = 4
/** A result's text is cut to this length, below the protocol's limit. */
const longestInfo = 1900
const cut = (text: string) => (text.length > longestInfo ? `${text.slice(0, longestInfo)}…` : text)

/** A machine as its actions use it. */
interface ActionsMachine {
  plan: MachinePlan
  /** The plan of the factory. */
  makers: MachinePlan
  memory: MachineMemory
  vending: Vending
  sendHello(): void
  /** Restarts the machine soon after its answer. */
  restart(): void
  /** Fetches and checks an update, and waits for its window. Returns whether its version is installed. */
  update(update: Update, during: During): Promise<boolean>
  /** The document of a configuration of the visual programmer. A file is fetched and checked. */
  vpDocument(sent: SentVpConfig, during: During): Promise<VpState>
  /** Its sign-in at its portal. */
  access: PortalAccess
}

/**
 * A machine's actions by command. Updates are fetched, checked and installed (`updates.ts`); a configuration of
 * the visual programmer is kept and reported.
 */
export function commandActionsOf(machine: ActionsMachine): CommandActions {
  const { plan, makers, memory, vending } = machine
  const ownState = () => ownStateOf(memory)
  const configuration = () => settingsOf(makers, memory)
  const install = (what: string, version: string) => {
    ownState().versions[what] = version
    return `${what} ${version}`
  }
  /** The version is reported by the hello that follows. */
  const update = async (what: string, sent: Update, during: During) => {
    const isInstalled = await machine.update(sent, during)
    if (isInstalled) install(what, sent.version)
    setTimeout(machine.sendHello, helloAfterMs).unref()
    return `${what} ${sent.version}`
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
    sendConfig({ settings }, during) {
      const apply = () => {
        Object.assign(ownState().settings, settings)
        vending.reportConfiguration(Date.now(), configuration())
        return `settings ${Object.keys(settings).length}`
      }
      return settings['screen.url'] === undefined
        ? apply()
        : fetchScreen(settings, machine.access, during.signal).then(apply)
    },
    refundCash({ amount }) {
      if (!vending.payOut(Date.now(), amount)) throw new CommandFailedError('E-61 not enough change')
      return `paid ${amount}`
    },
    readBootInfo() {
      machine.sendHello()
      return undefined
    },
    readConfig: () => void vending.reportConfiguration(Date.now(), configuration()),
    sendPrices({ prices }) {
      const edits = prices.map((one) => {
        const selection = plan.selections.find(({ line }) => String(line) === one.selection)
        if (!selection) throw new CommandFailedError(`E-31 no selection ${one.selection}`)
        return { ...one, selection }
      })
      setPrices(plan, makers, memory, edits)
      vending.reportPrices(Date.now())
      return `prices ${prices.length}`
    },
    async updateFirmware(sent, during) {
      const isInstalled = await machine.update({ ...sent, kind: 'firmware', peripheral: null }, during)
      if (isInstalled) ownState().firmwareVersion = sent.version
      applyOwnState(plan, makers, memory)
      machine.restart()
      return `firmware ${sent.version}`
    },
    resetDefaults() {
      restoreFactory(memory)
      applyOwnState(plan, makers, memory)
      machine.restart()
      return undefined
    },
    updateDatabase: (sent, during) => update('cash', { ...sent, kind: 'cashDatabase', peripheral: null }, during),
    updatePeripheralFirmware: (sent, during) =>
      update(`${sent.peripheral} firmware`, { ...sent, kind: 'peripheralFirmware' }, during),
    updatePeripheralDatabase: (sent, during) =>
      update(`${sent.peripheral} database`, { ...sent, kind: 'peripheralDatabase' }, during),
    updateAccounting: () => void vending.closeInterval(Date.now(), collected),
    readPrices() {
      vending.reportPrices(Date.now())
      return cut(plan.selections.map((selection) => `${selection.line}=${priceIn(selection, 1)}`).join(' '))
    },
    readStock() {
      vending.reportStock(Date.now())
      const levels = plan.selections.map(({ line, capacity }, at) => `${line}=${memory.stock[at] ?? 0}/${capacity}`)
      return cut(levels.join(' '))
    },
    async sendVpConfig(sent, during) {
      const vp = await machine.vpDocument(sent, during)
      ownState().vp = vp
      vending.reportVp(Date.now(), vp)
      return sent.name
    },
  }
}

/** The machine's totals with the names of EVA-DTS: vends and their value, and cash in. */
function countersOf({ sold }: MachineMemory): string {
  const sum = (of: (one: MachineMemory['sold'][number]) => number) => sold.reduce((total, one) => total + of(one), 0)
  return `VA102=${sum(({ count }) => count)} VA101=${sum(({ value }) => value)} CA201=${sum(({ cashValue }) => cashValue)}`
}

/** The action of a command's number, with parameters parsed by the contract; undefined for an unknown number. */
export function commandActionOf(
  commandActions: CommandActions,
  type: number,
  numbers: Numbers,
): CommandAction | undefined {
  const name = nameOf(numbers, type)
  if (!name) return undefined
  return (parameters, during) => {
    const read = sentParameters[type as keyof Parameters].safeParse(parameters)
    if (!read.success) throw new CommandFailedError('E-30 parameters not understood')
    // The compiler cannot relate an action to its parameters by name.
    return (commandActions[name] as CommandAction)(read.data as Record<string, unknown>, during)
  }
}
