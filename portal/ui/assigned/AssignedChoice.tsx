import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rowQuery } from '#portal/app/api.ts'

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

/** One record to assign to machines, or none. Records beyond the listed ones are found by two letters of their names. */
export function AssignedChoice({ list, label, noneLabel, merchantId, current, choose }: Props) {
  const [value, setValue] = useState(current?.id ?? none)
  const [text, setText] = useState('')
  const [option, setOption] = useState(current && { value: current.id, label: current.name })
  const [search] = useDebouncedValue(text.trim(), 250)
  const isAsked = search.length >= enoughLetters && search !== noneLabel && search !== option?.label
  const answer = useQuery({
    ...rowQuery(list, { params: { merchantId }, query: { ...(isAsked && { search }), ord: 'name', size: 100 } }),
    placeholderData: keepPreviousData,
  })
  const { items = [] } = (answer.data as { items: ListedRecord[] } | undefined) ?? {}
  const options = items.map(({ id, name, merchantName }) => ({
    value: id,
    label: merchantId === allMerchants ? `${name} · ${merchantName}` : name,
  }))
  const isMissing = option && option.value === value && !options.some((one) => one.value === value)
  return (
    <Select
      label={label}
      data={[{ value: none, label: noneLabel }, ...(isMissing ? [option] : []), ...options]}
      value={value}
      allowDeselect={false}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setOption(options.find((one) => one.value === next) ?? option)
        setValue(next ?? none)
        choose(next === none ? null : next)
      }}
    />
  )
}
