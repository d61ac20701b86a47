import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '../../value/option.ts'

interface Item {
  id: string
  name: string
  /** Of machines. */
  serial?: string
}

interface Common {
  /** A list whose items have an id and a name; the first items by name are offered before typing. */
  row: AnyEndpoint
  /** The merchant of the list; by default the chosen one. */
  merchantId?: string | undefined
  /** The label of an item; by default its name. */
  labelOf?: (item: Item) => string
  label: string
  description?: ReactNode
  error?: ReactNode
  withAsterisk?: boolean
  required?: boolean
  readOnly?: boolean
  disabled?: boolean
  onBlur?: () => void
}

const offered = 50
const namedAtOnce = 100
const none: readonly Option[] = []

type Named = { items: Item[] } | undefined

const nameOf = ({ name }: Item) => name

function useFound(
  { row, merchantId: fieldMerchantId, labelOf = nameOf }: Common,
  text: string,
  selectedOptions: readonly Option[],
) {
  const { t } = useTranslation('form')
  const merchant = useMerchant()
  const merchantId = fieldMerchantId ?? merchant.id
  const [typed] = useDebouncedValue(text.trim(), 250)
  const search =
    typed.length >= enoughLetters && !selectedOptions.some(({ label }) => label === typed) ? typed : undefined
  const { data, isPending, error } = useQuery({
    ...rowQuery(row, { params: { merchantId }, query: { search, ord: 'name', ordType: 'ASC', size: offered } }),
    placeholderData: keepPreviousData,
  })
  const items = (data as Named)?.items ?? []
  const options = items.map((item): Option => ({ value: item.id, label: labelOf(item) }))
  // A chosen item keeps its label when it is not among the results.
  const rest = selectedOptions.filter(({ value }) => !options.some((one) => one.value === value))
  return {
    options: [...rest, ...options],
    nothing: t(isPending ? 'field.search.busy' : error ? 'field.search.failed' : 'field.search.none'),
  }
}

/** One record of a list, found by its name. */
export function FindOne(props: Common & { value: Option | null; choose: (one: Option | null) => void }) {
  const { row: _, merchantId: __, labelOf: ___, value, choose, ...input } = props
  const { t } = useTranslation('form')
  const [text, setText] = useState(value?.label ?? '')
  const { options, nothing } = useFound(props, text, value ? [value] : none)
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
export function FindMany(
  props: Common & { value: readonly Option[]; choose: (some: readonly Option[]) => void; most: number },
) {
  const { row: _, merchantId: __, labelOf: ___, value, choose, most, ...input } = props
  const { t } = useTranslation('form')
  const [text, setText] = useState('')
  const { options, nothing } = useFound(props, text, value)
  return (
    <MultiSelect
      {...input}
      searchable={!input.readOnly}
      clearable={!input.readOnly && !input.disabled}
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

/** Several records of a list by their ids, whose names the list finds by its filter `by`. */
export function FindIds({
  by,
  ids,
  choose,
  ...props
}: Common & { by: string; ids: readonly string[]; choose: (ids: string[]) => void; most: number }) {
  const { t } = useTranslation('form')
  const merchant = useMerchant()
  // Those chosen from now on bring their names.
  const { labelOf = nameOf } = props
  const [first] = useState(ids)
  const [picked, setPicked] = useState<readonly Option[]>(none)
  const params = { merchantId: props.merchantId ?? merchant.id }
  const parts = Array.from({ length: Math.ceil(first.length / namedAtOnce) }, (_, part) =>
    first.slice(part * namedAtOnce, (part + 1) * namedAtOnce),
  )
  const answers = useQueries({
    queries: parts.map((part) => rowQuery(props.row, { params, query: { [by]: part, size: namedAtOnce } })),
  })
  const named = answers.flatMap(({ data }) => (data as Named)?.items ?? [])
  const names = new Map([
    ...named.map((item) => [item.id, labelOf(item)] as const),
    ...picked.map(({ value, label }) => [value, label] as const),
  ])
  const nameless = answers.some(({ isPending }) => isPending) ? '\u2026' : t('field.gone')
  return (
    <FindMany
      {...props}
      value={ids.map((id) => ({ value: id, label: names.get(id) ?? nameless }))}
      choose={(some) => {
        setPicked([...picked, ...some.filter(({ value }) => !names.has(value))])
        choose(some.map(({ value }) => value))
      }}
    />
  )
}
