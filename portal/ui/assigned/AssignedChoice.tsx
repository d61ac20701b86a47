import { Select } from '@mantine/core'
import { useState } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { useRecordSearch } from '../form/choices/useRecordSearch.tsx'

export interface AssignedChoiceProps {
  merchantId: string
  /** The currently assigned record. */
  current?: { id: string; name: string } | undefined
  choose: (id: string | null) => void
}

interface Props extends AssignedChoiceProps {
  /** The list of the records; its query takes `search`. */
  list: AnyEndpoint
  label: string
  noneLabel: string
}

interface ListedRecord {
  id: string
  name: string
  merchantName: string
}

/** Represents "none": an option with an empty value would look unselected. */
const none = 'none'

/** One record to assign to machines, or none. */
export function AssignedChoice({ list, label, noneLabel, merchantId, current, choose }: Props) {
  const [value, setValue] = useState(current?.id ?? none)
  const [option, setOption] = useState(current && { value: current.id, label: current.name })
  const { options, input } = useRecordSearch<ListedRecord>({
    row: list,
    params: { merchantId },
    optionOf: ({ id, name, merchantName }) => ({
      value: id,
      label: merchantId === allMerchants ? `${name} · ${merchantName}` : name,
    }),
    selected: option?.value === value ? [option] : [],
    none: { value: none, label: noneLabel },
  })
  return (
    <Select
      {...input}
      label={label}
      value={value}
      allowDeselect={false}
      searchable
      openOnFocus={false}
      onChange={(next) => {
        setOption(options.find((one) => one.value === next) ?? option)
        setValue(next ?? none)
        choose(next === none ? null : next)
      }}
    />
  )
}
