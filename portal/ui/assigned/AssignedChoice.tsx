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
  chosen?: { id: string; name: string } | undefined
  choose: (id: string | null) => void
}

interface Props extends AssignedChoiceProps {
  /** The list of the records; its query takes `search`. */
  list: AnyEndpoint
  label: string
  noneLabel: string
}

interface Listed {
  id: string
  name: string
  merchantName: string
}

/** Represents "none": an option with an empty value would look unselected. */
const none = 'none'

/** One record to assign to machines, or none. Records beyond the listed ones are found by two letters of their names. */
export function AssignedChoice({ list, label, noneLabel, merchantId, chosen, choose }: Props) {
  const [value, setValue] = useState(chosen?.id ?? none)
  const [text, setText] = useState('')
  const [kept, setKept] = useState(chosen && { value: chosen.id, label: chosen.name })
  const [search] = useDebouncedValue(text.trim(), 250)
  const isAsked = search.length >= enoughLetters && search !== noneLabel && search !== kept?.label
  const answer = useQuery({
    ...rowQuery(list, { params: { merchantId }, query: { ...(isAsked && { search }), ord: 'name', size: 100 } }),
    placeholderData: keepPreviousData,
  })
  const { items = [] } = (answer.data as { items: Listed[] } | undefined) ?? {}
  const options = items.map(({ id, name, merchantName }) => ({
    value: id,
    label: merchantId === allMerchants ? `${name} · ${merchantName}` : name,
  }))
  const isMissing = kept && kept.value === value && !options.some((one) => one.value === value)
  return (
    <Select
      label={label}
      data={[{ value: none, label: noneLabel }, ...(isMissing ? [kept] : []), ...options]}
      value={value}
      allowDeselect={false}
      searchable
      openOnFocus={false}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setKept(options.find((one) => one.value === next) ?? kept)
        setValue(next ?? none)
        choose(next === none ? null : next)
      }}
    />
  )
}
