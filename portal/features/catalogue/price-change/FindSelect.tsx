import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '#portal/ui/list/types.ts'

interface Common {
  /** A list whose items have an id and a name; the first items by name are offered before typing. */
  row: AnyEndpoint
  label: string
  description?: string
}

const offered = 50
const none: readonly Option[] = []

function useFound(row: AnyEndpoint, text: string, chosen: readonly Option[]) {
  const { t } = useTranslation('form')
  const { id: merchantId } = useMerchant()
  const [typed] = useDebouncedValue(text.trim(), 250)
  const search = typed.length >= enoughLetters && !chosen.some(({ label }) => label === typed) ? typed : undefined
  const { data, isPending, error } = useQuery({
    ...rowQuery(row, { params: { merchantId }, query: { search, ord: 'name', ordType: 'ASC', size: offered } }),
    placeholderData: keepPreviousData,
  })
  const items = (data as { items: { id: string; name: string }[] } | undefined)?.items ?? []
  const options = items.map(({ id, name }): Option => ({ value: id, label: name }))
  // A chosen item keeps its label when it is not among the results.
  const rest = chosen.filter(({ value }) => !options.some((one) => one.value === value))
  return {
    options: [...rest, ...options],
    nothing: t(isPending ? 'field.search.busy' : error ? 'field.search.failed' : 'field.search.none'),
  }
}

/** One record of a list, found by its name. */
export function FindOne({
  row,
  value,
  choose,
  ...input
}: Common & { value: Option | null; choose: (one: Option | null) => void }) {
  const { t } = useTranslation('form')
  const [text, setText] = useState(value?.label ?? '')
  const { options, nothing } = useFound(row, text, value ? [value] : none)
  return (
    <Select
      {...input}
      searchable
      data={options}
      value={value?.value ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => choose(options.find((one) => one.value === next) ?? null)}
      placeholder={t('field.choose')}
      nothingFoundMessage={nothing}
      maxDropdownHeight={280}
    />
  )
}

/** Several records of a list, found by their names. */
export function FindMany({
  row,
  value,
  choose,
  most,
  ...input
}: Common & { value: readonly Option[]; choose: (some: readonly Option[]) => void; most: number }) {
  const { t } = useTranslation('form')
  const [text, setText] = useState('')
  const { options, nothing } = useFound(row, text, value)
  return (
    <MultiSelect
      {...input}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('field.clear', { name: input.label }) }}
      hidePickedOptions
      maxValues={most}
      data={options}
      value={value.map((one) => one.value)}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => choose(next.flatMap((id) => options.find((one) => one.value === id) ?? []))}
      placeholder={value.length === 0 ? t('field.choose') : undefined}
      nothingFoundMessage={nothing}
      maxDropdownHeight={280}
    />
  )
}
