import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { rowQuery } from '#portal/app/api.ts'
import type { Option } from '../../value/option.ts'
import { offered, useFoundSentence, useTyped } from '../../value/useTyped.ts'

interface Search<Item> {
  /** A list that takes `search` and answers `{ items, total }`. */
  row: AnyEndpoint
  params: Record<string, string>
  /** Filters beside the search. */
  query?: Record<string, unknown>
  optionOf: (item: Item) => Option
  /** Selected options; each keeps its label when it is not among the results. */
  selected: readonly Option[]
  /** Offered above the records, such as "none". */
  none?: Option
  /** The text that the field initially has. */
  initialText?: string
}

const hint = '\u2026'
const isHint = (one: ComboboxParsedItem) => 'value' in one && one.value === hint

/** Props of a `Select` or `MultiSelect` of a list's records: the first by name, or the matches of the typed text. */
export function useRecordSearch<Item>({
  row,
  params,
  query,
  optionOf,
  selected,
  none,
  initialText = '',
}: Search<Item>) {
  const [text, setText] = useState(initialText)
  const say = useFoundSentence()
  const typed = useTyped(text)
  const known = none ? [none, ...selected] : selected
  // The label of the selected option is in the field, and nothing is searched.
  const isSelection = (label: string | undefined) => known.some((one) => one.label === label)
  const search = isSelection(typed) ? undefined : typed
  const { data, isPending, isPlaceholderData, error } = useQuery({
    ...rowQuery(row, { params, query: { ...query, search, ord: 'name', ordType: 'ASC', size: offered } }),
    placeholderData: keepPreviousData,
  })
  const { items = [], total = 0 } = (data as { items: Item[]; total: number } | undefined) ?? {}
  const found = items.map(optionOf)
  const kept = known.filter(({ value }) => !found.some((one) => one.value === value))
  const sentence = say({ isPending: isPending || isPlaceholderData, error, shown: found.length, total })
  const more: ComboboxItem[] =
    sentence !== undefined && total > found.length && !isPlaceholderData
      ? [{ value: hint, label: sentence, disabled: true }]
      : []
  // The server has already searched, also in other fields than the label.
  const filter: OptionsFilter = ({ options }) =>
    search === undefined
      ? options
      : options.filter((one) => isHint(one) || ('value' in one && found.some(({ value }) => value === one.value)))
  return {
    options: [...kept, ...found],
    input: {
      data: [...kept, ...found, ...more],
      filter,
      searchValue: text,
      onSearchChange: setText,
      // The first match may still be one of the text before.
      selectFirstOptionOnChange: false,
      nothingFoundMessage: sentence,
      maxDropdownHeight: 280,
      inputContainer: (children: ReactNode) => (
        <>
          {children}
          <span className="unseen" role="status">
            {search === undefined ? undefined : sentence}
          </span>
        </>
      ),
    },
  }
}
