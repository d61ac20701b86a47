import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { mostSelected } from '#contract/frame/selection.ts'
import { MachineFilters, type MachineRow, machines } from '#contract/machines/machine.ts'
import { call } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf, oneOf, type Search } from '#portal/app/search.ts'
import { mostMachines } from './commandOrder.ts'

/** The machines of an address are fetched in chunks of this size. */
const perCall = 150
const perPage = 500
const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

/** Ids of an address: the name several times, or commas between them. */
export const readIds = (values: readonly string[]): string[] =>
  [...new Set(values.flatMap((value) => value.split(',')))].filter(isId).slice(0, mostSelected)

type Filters = z.input<typeof MachineFilters>

/** All matching machines, with exceptions. */
export interface Matching {
  filters: Filters
  except: readonly string[]
}

/** The filters of an address. An invalid filter chooses nothing. */
export function readMatching(search: Search): Matching | undefined {
  if (!oneOf(search, 'matching')) return undefined
  const filters: Filters = Object.fromEntries(
    Object.keys(MachineFilters.shape).flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])),
  )
  return MachineFilters.safeParse(filters).success ? { filters, except: readIds(manyOf(search, 'except')) } : undefined
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

interface MachineMatches {
  machines: MachineRow[]
  /** More machines match than an order may have. */
  isTooMany: boolean
}

async function namedMachines(merchantId: string, ids: readonly string[], signal: AbortSignal): Promise<MachineMatches> {
  const ask = (some: string[]) =>
    call(machines.listMachines, { params: { merchantId }, query: { ids: some, size: perCall, hidden: 'all' } }, signal)
  const pages = await Promise.all(chunksOf(ids, perCall).map(ask))
  return { machines: pages.flatMap(({ items }) => items), isTooMany: false }
}

async function matchingMachines(merchantId: string, filters: Filters, signal: AbortSignal): Promise<MachineMatches> {
  const ask = (page: number) =>
    call(
      machines.listMachines,
      { params: { merchantId }, query: { ...filters, page, size: perPage, ord: 'name', ordType: 'ASC' } },
      signal,
    )
  const first = await ask(1)
  if (first.total > mostMachines) return { machines: [], isTooMany: true }
  const others = await Promise.all(
    Array.from({ length: Math.ceil(first.total / perPage) - 1 }, (_, index) => ask(index + 2)),
  )
  return { machines: [first, ...others].flatMap(({ items }) => items), isTooMany: false }
}

const noFound: MachineMatches = { machines: [], isTooMany: false }

/** The machines of the order: initially those of the address. */
export function useMachineSelection() {
  const { id: merchantId } = useMerchant()
  const search = useAddressQuery()
  const named = readIds(manyOf(search, 'posIds'))
  const [changed, setChanged] = useState<ReadonlyMap<string, MachineRow> | Matching>()
  const source = changed ?? readMatching(search)
  const matching = source && 'filters' in source ? source : undefined
  const rows = source && !('filters' in source) ? source : undefined
  const isAsking = matching !== undefined || (named.length > 0 && !rows)
  const answer = useQuery({
    queryKey: ['machinesOfOrder', merchantId, matching ? matching.filters : named],
    enabled: isAsking,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      matching ? matchingMachines(merchantId, matching.filters, signal) : namedMachines(merchantId, named, signal),
  })
  const matches = (isAsking && answer.data) || noFound
  const byId = useMemo(() => {
    if (rows) return rows
    const except = new Set(matching?.except)
    return new Map(matches.machines.filter(({ id }) => !except.has(id)).map((machine) => [machine.id, machine]))
  }, [rows, matching, matches])

  const set = (items: readonly MachineRow[], isChosen: boolean) => {
    const foundIds = new Set(matches.machines.map(({ id }) => id))
    if (matching && items.every(({ id }) => foundIds.has(id))) {
      const except = new Set(matching.except)
      for (const { id } of items) {
        if (isChosen) except.delete(id)
        else except.add(id)
      }
      if (except.size <= mostSelected) return setChanged({ ...matching, except: [...except] })
    }
    const after = new Map(byId)
    for (const machine of items) {
      if (!isChosen) after.delete(machine.id)
      else after.set(machine.id, machine)
    }
    // Maximum number of machines listed one by one.
    if (after.size <= mostSelected) setChanged(after)
  }
  const list = useMemo(() => [...byId.values()], [byId])
  return {
    byId,
    machines: list,
    /** The same in the format of the order. */
    selection: matching
      ? { matching: matching.filters, count: list.length, except: [...matching.except] }
      : { ids: list.map(({ id }) => id) },
    isMatching: matching !== undefined,
    /** Whether the address names or describes machines. */
    isFromAddress: named.length > 0 || oneOf(search, 'matching') !== undefined,
    isTooMany: matches.isTooMany,
    set,
    chooseMatching: (filters: Filters) => setChanged({ filters, except: [] }),
    /** Checks again which machines match. */
    refresh: answer.refetch,
    clear: () => setChanged(new Map()),
    isLoading: isAsking && answer.isPending,
    isUnknown: Boolean(answer.error) && !changed,
  }
}
export type MachineSelection = ReturnType<typeof useMachineSelection>
