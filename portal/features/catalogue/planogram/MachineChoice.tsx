import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { FindOne } from '#portal/ui/form/choices/FindSelect.tsx'
import type { Option } from '#portal/ui/value/option.ts'

interface Props {
  label: string
  merchantId: string
  /** Only machines with this planogram. */
  planogramId?: string
  value: string | null
  choose: (posId: string | null) => void
}

const labelOf = ({ name, serial = '' }: { name: string; serial?: string }) => `${name} (${serial})`

/** One machine of a merchant, hidden or not. */
export function MachineChoice({ label, merchantId, planogramId, value, choose }: Props) {
  const [picked, setPicked] = useState<Option | null>(null)
  const isPicked = picked?.value === value
  const { data } = useQuery({
    ...queryOf(machines.listMachines, {
      params: { merchantId },
      query: { ids: value === null ? [] : [value], hidden: 'all', size: 1 },
    }),
    enabled: value !== null && !isPicked,
  })
  const [item] = data?.items ?? []
  const named = item && item.id === value ? { value: item.id, label: labelOf(item) } : null
  return (
    <FindOne
      row={machines.listMachines}
      merchantId={merchantId}
      query={{ hidden: 'all', planogramId }}
      label={label}
      labelOf={labelOf}
      value={isPicked ? picked : named}
      choose={(next) => {
        setPicked(next)
        choose(next?.value ?? null)
      }}
    />
  )
}
