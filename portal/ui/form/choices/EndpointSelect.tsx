import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { type Input, rowQuery } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Option } from '../../value/option.ts'
import { type FieldProps, useField } from '../fields/useField.tsx'

interface Props<T extends Record<string, unknown>, Item> extends FieldProps<T> {
  /** A GET row whose query takes `search` and that answers `{ items, total }`. */
  row: AnyEndpoint
  /** Its path names, and filters beside the search. */
  input?: Pick<Input, 'params'> & { query?: Record<string, unknown> }
  /** The stored value and the label of an item. */
  optionOf: (item: Item) => Option
  /** The name of the form's initial value. */
  initialOption?: Option
  /** A dialog that opens puts the focus here. */
  isFirst?: boolean
}

const shownAtOnce = 20
const hint = '\u2026'

/** Selects an item of an endpoint's list, found by two letters of its name. */
export function EndpointSelect<T extends Record<string, unknown>, Item>(props: Props<T, Item>) {
  const { row, input: { params, query = {} } = {}, optionOf } = props
  const { t } = useTranslation('form')
  const format = useFormat()
  const { value, set, leave, input, isFixed } = useField<string | null, T>(props)
  const [option, setOption] = useState(props.initialOption)
  const [text, setText] = useState(props.initialOption?.label ?? '')
  const [search] = useDebouncedValue(text.trim(), 250)
  const isAsked = search.length >= enoughLetters && search !== option?.label && !isFixed
  const answer = useQuery({
    ...rowQuery(row, { params, query: { ...query, search, page: 1, size: shownAtOnce } }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const { items = [], total = 0 } =
    (isAsked ? (answer.data as { items: Item[]; total: number } | undefined) : undefined) ?? {}
  const options = items.map(optionOf)
  const isKept = value !== null && option?.value === value && !options.some((one) => one.value === value)
  const more = total > options.length && {
    value: hint,
    label: t('field.search.more', { shown: format.number(options.length), total: format.number(total) }),
    disabled: true,
  }
  const nothing = !isAsked
    ? t('field.search.type')
    : answer.isPending
      ? t('field.search.busy')
      : t(answer.error ? 'field.search.failed' : 'field.search.none')
  return (
    <Select
      {...(answer.isFetching && isAsked && { rightSection: <Loader size={14} /> })}
      {...input}
      // The focus that a dialog gives opens no empty list.
      {...(props.isFirst && { 'data-autofocus': true, openOnFocus: false })}
      searchable={!isFixed}
      clearable={!isFixed && !input.required}
      clearButtonProps={{ 'aria-label': t('field.clear', { name: input.label }) }}
      // The endpoint has already searched; the selected item keeps its label and is not a match of another search.
      filter={({ options: items }) =>
        items.filter((one) => !(isAsked && isKept && 'value' in one && one.value === value))
      }
      data={[...(isKept ? [option] : []), ...options, ...(more ? [more] : [])]}
      value={value}
      searchValue={text}
      onSearchChange={setText}
      onChange={(next) => {
        setOption(options.find((one) => one.value === next) ?? option)
        set(next)
      }}
      onBlur={leave}
      placeholder={t('field.choose')}
      nothingFoundMessage={nothing}
      maxDropdownHeight={280}
    />
  )
}
