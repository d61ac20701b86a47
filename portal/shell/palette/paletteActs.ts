import {
  IconCashBanknote,
  IconClipboardList,
  IconDeviceTablet,
  IconPlus,
  IconReload,
  IconTags,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Permission } from '#contract/access.ts'
import { commandFeatures, type RemoteCommandType } from '#contract/vocabulary/remote-command.ts'
import { folded } from '#domain/frame/folded.ts'
import type { Requirement } from '#portal/app/enabled.ts'
import type { Place } from '../../app/place.ts'

interface Act extends Requirement {
  /** Key of its words in palette.json. */
  key: string
  icon: TablerIcon
  needs: Permission
}

/** Actions on a machine from the palette, after a confirmation: a command, or the refund of its last failed vend. */
export interface MachineAct extends Act {
  type: Extract<RemoteCommandType, 1 | 4> | 'refund'
}
const command = (key: string, type: Exclude<MachineAct['type'], 'refund'>, icon: TablerIcon): MachineAct => ({
  key,
  type,
  icon,
  needs: 'remoteCommand.write',
  feature: commandFeatures[type],
})
export const machineActs: readonly MachineAct[] = [
  command('restart', 4, IconReload),
  command('readAudit', 1, IconClipboardList),
  { key: 'refund', type: 'refund', icon: IconCashBanknote, needs: 'refund.write', feature: 'customerMedia' },
]

/** Screens that the palette opens to start something. */
export interface Beginning extends Act {
  place: Place
}
export const beginnings: readonly Beginning[] = [
  { key: 'newUser', icon: IconPlus, needs: 'user.write', place: { to: '/manage/users/create' } },
  { key: 'newClient', icon: IconPlus, needs: 'client.write', place: { to: '/manage/clients/create' } },
  {
    key: 'associate',
    icon: IconDeviceTablet,
    needs: 'machine.associate',
    place: { to: '/associate' },
  },
  {
    key: 'changePrices',
    icon: IconTags,
    needs: 'price.write',
    feature: 'vending',
    place: { to: '/devices/prices/change' },
  },
  {
    key: 'newRound',
    icon: IconPlus,
    needs: 'round.write',
    feature: 'productStock',
    place: { to: '/devices/rounds/create' },
  },
]

/** Minimum letters of an action's name. */
const enough = 3

/**
 * The typed text as an action and its machine: "restart canteen". Without a verb every action is offered for the machines found.
 * `verbs` are the actions' names in the reader's language.
 */
export function actionOfText<A>(typed: string, verbs: readonly (readonly [act: A, verb: string])[]) {
  const needle = folded(typed.trim())
  const words = needle.split(/\s+/)
  const longest = Math.max(0, ...verbs.map(([, verb]) => folded(verb).split(/\s+/).length))
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    const head = words.slice(0, length).join(' ')
    if (head.length < enough) continue
    const acts = verbs.filter(([, verb]) => folded(verb).startsWith(head)).map(([act]) => act)
    if (acts.length > 0) return { acts, search: words.slice(length).join(' ') }
  }
  return { acts: undefined, search: needle }
}
