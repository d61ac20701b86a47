import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type MachineRow, machines } from '#contract/machine.ts'
import { call } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { manyOf, type Search } from '../../app/search.ts'
import { mostMachines } from './commandOrder.ts'

/** An address asks for so many machines at a time. */
const perCall = 150
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

/** Ids of an address: the name several times, or commas between them. */
export const readIds = (values: readonly string[]): string[] =>
  [...new Set(values.flatMap((value) => value.split(',')))].filter(isId).slice(0, mostMachines)

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** The machines of the order: those the address names, until somebody changes the choice. */
export function useChosenMachines() {
  const { id: merchantId } = useMerchant()
  const named = readIds(manyOf(useSearch({ strict: false }) as Search, 'posIds'))
  const [changed, setChanged] = useState<ReadonlyMap<string, MachineRow>>()
  const { data, error, isPending } = useQuery({
    queryKey: ['machinesOfAddress', merchantId, named],
    enabled: named.length > 0 && !changed,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        chunksOf(named, perCall).map((ids) =>
          call(machines.listMachines, { params: { merchantId }, query: { ids, size: perCall } }, signal),
        ),
      )
      return pages.flatMap(({ items }) => items)
    },
  })
  const chosen = useMemo(
    () => changed ?? new Map((data ?? []).map((machine) => [machine.id, machine])),
    [changed, data],
  )
  return {
    chosen,
    machines: useMemo(() => [...chosen.values()], [chosen]),
    set: (items: readonly MachineRow[], isChosen: boolean) => {
      const after = new Map(chosen)
      for (const machine of items) {
        if (!isChosen) after.delete(machine.id)
        else if (after.size < mostMachines) after.set(machine.id, machine)
      }
      setChanged(after)
    },
    clear: () => setChanged(new Map()),
    isLoading: named.length > 0 && !changed && isPending,
    isUnknown: Boolean(error) && !changed,
  }
}
export type ChosenMachines = ReturnType<typeof useChosenMachines>
