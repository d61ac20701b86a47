import { MultiSelect, Select } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '../../value/option.ts'
import { useRecordSearch } from './useRecordSearch.tsx'

interface Item {
  id: string
  name: string
  /** Of machines. */
  serial?: string
}

interface Common {
  /** A list whose items have an id and a name; the first items by name are offered before typing. */
  row: AnyEndpoint
  /** Filters of the list beside the search. */
  query?: Record<string, unknown>
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

const namedAtOnce = 100
const none: readonly Option[] = []

type Named = { items: Item[] } | undefined

const nameOf = ({ name }: Item) => name

function useFound(
  { row, merchantId, query, labelOf = nameOf }: Common,
  selected: readonly Option[],
  initialText?: string,
) {
  const merchant = useMerchant()
  return useRecordSearch<Item>({
    row,
    params: { merchantId: merchantId ?? merchant.id },
    ...(query && { query }),
    optionOf: (item) => ({ value: item.id, label: labelOf(item) }),
    selected,
    ...(initialText !== undefined && { initialText }),
  })
}

/** One record of a list, found by its name. */
export function FindOne(
  props: Common & {
    value: Option | null
    choose: (one: Option | null) => void
    placeholder?: string
    clearable?: boolean
    /** The screen begins in this field; its choices open with the first letter. */
    isFirst?: boolean
  },
) {
  const {
    row: _,
    merchantId: __,
    query: ___,
    labelOf: ____,
    value,
    choose,
    placeholder,
    clearable,
    isFirst,
    ...input
  } = props
  const { t } = useTranslation('form')
  const { options, input: searchInput } = useFound(props, value ? [value] : none, value?.label)
  return (
    <Select
      {...input}
      {...searchInput}
      {...(isFirst && { autoFocus: true, openOnFocus: false })}
      searchable
      {...(clearable && {
        clearable,
        clearButtonProps: { 'aria-label': t('field.clear', { name: input.label }) },
      })}
      value={value?.value ?? null}
      onChange={(next) => choose(options.find((one) => one.value === next) ?? null)}
      placeholder={placeholder ?? t('field.choose')}
    />
  )
}

/** Several records of a list, found by their names. */
export function FindMany(
  props: Common & { value: readonly Option[]; choose: (some: readonly Option[]) => void; most: number },
) {
  const { row: _, merchantId: __, query: ___, labelOf: ____, value, choose, most, ...input } = props
  const { t } = useTranslation('form')
  const { options, input: searchInput } = useFound(props, value)
  return (
    <MultiSelect
      {...input}
      {...searchInput}
      searchable={!input.readOnly}
      clearable={!input.readOnly && !input.disabled}
      clearButtonProps={{ 'aria-label': t('field.clear', { name: input.label }) }}
      hidePickedOptions
      maxValues={most}
      value={value.map((one) => one.value)}
      onChange={(next) => choose(next.flatMap((id) => options.find((one) => one.value === id) ?? []))}
      placeholder={value.length === 0 ? t('field.choose') : undefined}
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
