import { IconAddressBook, IconDeviceTablet, IconReceipt, type TablerIcon } from '@tabler/icons-react'
import type { Permission } from '#contract/access.ts'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import { machines } from '#contract/machines/machine.ts'
import { clients } from '#contract/merchants/client.ts'
import { type Transaction, transactions } from '#contract/sales/transaction.ts'
import { contains, folded } from '#domain/frame/folded.ts'
import type { Input } from '#portal/app/api.ts'
import type { Requirement } from '#portal/app/enabled.ts'
import { isId } from '#portal/app/search.ts'
import type { Place } from '../../app/place.ts'

/** A result of the palette, and its link. */
export interface PaletteResult {
  id: string
  label: string
  description?: string
  place: Place
}

/** A kind of records that the palette searches on the server, from two letters on. */
export interface Source extends Requirement {
  /** Key of its name under `search` in shell.json. */
  group: string
  icon: TablerIcon
  needs: Permission
  row: AnyEndpoint
  /** Whether a text is searched; any text by default. */
  isFor?: (search: string) => boolean
  /** The requirement on the chosen merchant, which may be all of them. */
  ask: (merchantId: string, search: string) => Input
  show: (answer: unknown, needle: string) => PaletteResult[]
}

type ItemOf<E> = ResultOf<E> extends { items: readonly (infer T)[] } ? T : never

/** A source whose rows are typed by their endpoint. */
const source = <E extends AnyEndpoint>(
  row: E,
  {
    ask,
    show,
    ...rest
  }: Omit<Source, 'row' | 'ask' | 'show'> & {
    ask: (merchantId: string, search: string) => ClientInput<E>
    show: (item: ItemOf<E>, needle: string) => PaletteResult
  },
): Source => ({
  ...rest,
  row,
  ask: (merchantId, search) => ask(merchantId, search) as Input,
  show: (answer, needle) => (answer as { items: ItemOf<E>[] }).items.map((item) => show(item, needle)),
})

const most = 8

/** The line below a result: its usual words, after the matched one if they do not show it. */
export function resultLine(
  needle: string,
  label: string,
  usual: readonly (string | null)[],
  others: readonly (string | null)[],
): string {
  const holds = (text: string | null) => text !== null && contains(text, needle)
  const hidden = [label, ...usual].some(holds) ? undefined : others.find(holds)
  return [hidden, ...usual].filter(Boolean).join(' · ')
}

/** The word of a list with commas, such as "restart, reboot", that a text begins; undefined if there is none. */
export function wordFound(words: string, needle: string): string | undefined {
  const start = folded(needle.trim())
  return start === '' ? undefined : words.split(', ').find((word) => ` ${folded(word)}`.includes(` ${start}`))
}

/** One row for each kind of record that can be searched. */
export const sources: readonly Source[] = [
  source(machines.listMachines, {
    group: 'machines',
    icon: IconDeviceTablet,
    needs: 'machine.read',
    ask: (merchantId, search) => ({ params: { merchantId }, query: { search, size: most } }),
    show: ({ id, name, serial, groupName, merchantName, address }, needle) => ({
      id,
      label: name,
      description: resultLine(needle, name, [serial, groupName, merchantName], [address]),
      place: { to: '/devices/$posId', params: { posId: id } },
    }),
  }),
  source(clients.listClients, {
    group: 'clients',
    icon: IconAddressBook,
    needs: 'client.read',
    ask: (merchantId, search) => ({ params: { merchantId }, query: { search, size: most } }),
    show: ({ id, name, code, companyName, city, merchantName, vatCode, contactName }, needle) => ({
      id,
      label: name,
      description: resultLine(needle, name, [code, city, merchantName], [companyName, vatCode, contactName]),
      place: { to: '/manage/clients/$clientId', params: { clientId: id } },
    }),
  }),
  {
    group: 'transactions',
    icon: IconReceipt,
    needs: 'transaction.read',
    feature: 'transactionDetails',
    row: transactions.getTransaction,
    isFor: isId,
    ask: (merchantId, search) => ({ params: { merchantId, transactionId: search.toLowerCase() } }),
    show: (answer) => {
      const { id, posName, product, productCode, merchantName } = answer as Transaction
      return [
        {
          id,
          label: [product ?? productCode, posName].filter(Boolean).join(' · '),
          description: `${id} · ${merchantName}`,
          place: { to: '/transactions/data', search: { transaction: id } },
        },
      ]
    },
  },
]
