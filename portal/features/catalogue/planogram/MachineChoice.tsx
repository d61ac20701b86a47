import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'

interface Props {
  label: string
  merchantId: string
  /** Only machines with this planogram. */
  planogramId?: string
  value: string | null
  choose: (posId: string | null) => void
}

const shownAtOnce = 50

/** One machine of a merchant. Machines beyond the listed ones are found by two letters of their names. */
export function MachineChoice({ label, merchantId, planogramId, value, choose }: Props) {
  const [text, setText] = useState('')
  const [machine, setMachine] = useState<{ value: string; label: string }>()
  const [search] = useDebouncedValue(text.trim(), 250)
  const searchQuery = search.length >= enoughLetters && search !== machine?.label ? { search } : {}
  const query = { ...searchQuery, ...(planogramId && { planogramId }), hidden: 'all' as const, ord: 'name' as const }
  const { data } = useQuery({
    ...queryOf(machines.listMachines, { params: { merchantId }, query: { ...query, size: shownAtOnce } }),
    placeholderData: keepPreviousData,
  })
  const options = (data?.items ?? []).map(({ id, name, serial }) => ({ value: id, label: `${name} (${serial})` }))
  const isKept = machine && machine.value === value && !options.some((one) => one.value === value)
  return (
    <Select
      label={label}
      data={isKept ? [machine, ...options] : options}
      value={value}
      searchable
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setMachine(options.find((one) => one.value === next) ?? machine)
        choose(next)
      }}
      maxDropdownHeight={280}
    />
  )
}
