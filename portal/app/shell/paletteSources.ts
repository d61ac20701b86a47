import { IconDeviceTablet, type TablerIcon } from '@tabler/icons-react'
import type { Permission } from '#contract/access.ts'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/endpoint.ts'
import { machines } from '#contract/machine.ts'
import type { Place } from '../../ui/list/types.ts'
import type { Input } from '../api.ts'
import type { Wants } from '../enabled.ts'

/** Something the palette found, and where it leads. */
export interface Found {
  id: string
  label: string
  description?: string
  place: Place
}

/** Things that the palette finds on the server, from three letters on. */
export interface Source extends Wants {
  /** Key of its name under `search` in shell.json. */
  group: string
  icon: TablerIcon
  needs: Permission
  row: AnyEndpoint
  /** What is asked of the merchant that is chosen, which may be all of them. */
  ask: (merchantId: string, search: string) => Input
  show: (answer: unknown) => Found[]
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
    show: (item: ItemOf<E>) => Found
  },
): Source => ({
  ...rest,
  row,
  ask: (merchantId, search) => ask(merchantId, search) as Input,
  show: (answer) => (answer as { items: ItemOf<E>[] }).items.map(show),
})

const most = 8

/** Each noun that can be found is one row. */
export const sources: readonly Source[] = [
  source(machines.listMachines, {
    group: 'machines',
    icon: IconDeviceTablet,
    needs: 'machine.read',
    ask: (merchantId, search) => ({ params: { merchantId }, query: { search, size: most } }),
    show: ({ id, name, serial, groupName, merchantName, merchantId }) => ({
      id,
      label: name,
      description: [serial, groupName, merchantName].filter(Boolean).join(' · '),
      place: { to: '/devices/$posId', params: { posId: id }, search: { merchant: merchantId } },
    }),
  }),
]
