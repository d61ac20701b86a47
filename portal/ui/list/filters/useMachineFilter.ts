import { useMemo } from 'react'
import { machines } from '#contract/machines/machine.ts'
import { call } from '#portal/app/api.ts'
import { groupsOf } from '#portal/app/groupSelection.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { offered } from '../../value/useTyped.ts'
import type { Filter } from '../types.ts'

const namedAtOnce = 100

interface Named {
  id: string
  name: string
  merchantName: string
}

/** A filter by any of several machines, found by name or serial; those at a client if given. */
export function useMachineFilter(name: string, clientId?: string): Filter {
  const { id: merchantId, isAll } = useMerchant()
  const scope = `${clientId ?? ''} ${groupsOf(machines.listMachines)}`
  return useMemo((): Filter => {
    const optionOf = ({ id, name: machineName, merchantName }: Named) => ({
      value: id,
      label: isAll ? `${machineName} · ${merchantName}` : machineName,
    })
    const params = { merchantId }
    const find: Filter['find'] = async (request) => {
      if (!('ids' in request)) {
        const query = { ...request, clientId, size: offered, ord: 'name', ordType: 'ASC' } as const
        const { items, total } = await call(machines.listMachines, { params, query })
        return { options: items.map(optionOf), total }
      }
      // Chosen machines keep their names when they are hidden or outside of the selected groups.
      const parts = Array.from({ length: Math.ceil(request.ids.length / namedAtOnce) }, (_, part) =>
        request.ids.slice(part * namedAtOnce, (part + 1) * namedAtOnce),
      )
      const answers = await Promise.all(
        parts.map((ids) =>
          call(machines.listMachines, { params, query: { ids, hidden: 'all', size: namedAtOnce }, isWhole: true }),
        ),
      )
      const options = answers.flatMap(({ items }) => items.map(optionOf))
      return { options, total: options.length }
    }
    return { key: 'posIds', kind: 'multi', name, find, scope }
  }, [name, merchantId, isAll, clientId, scope])
}
