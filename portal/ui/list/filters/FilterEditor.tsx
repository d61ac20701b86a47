import { Checkbox, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contains } from '#domain/frame/folded.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { PeriodPanel, type PeriodValue, usePeriodName } from '#portal/ui/time/PeriodPanel.tsx'
import { moveFocus } from '../../moveFocus.ts'
import type { Option } from '../../value/option.ts'
import { useFoundSentence, useTyped } from '../../value/useTyped.ts'
import type { Filter } from '../types.ts'
import classes from './FilterEditor.module.css'

export const isPeriod = ({ kind }: Filter) => kind === 'period' || kind === 'range'

/** The value of a filter, as text. */
export function useFilterText(filter: Filter, values: readonly string[]): string {
  const periodName = usePeriodName()
  const { named, isNaming } = useNamed(filter, values)
  if (isPeriod(filter)) return periodName(values)
  const labelOf = (value: string) =>
    named.find((option) => option.value === value)?.label ?? (isNaming ? '\u2026' : value)
  return values.map(labelOf).join(', ')
}

interface Props {
  filter: Filter
  values: readonly string[]
  set: (values: string[]) => void
  /** After a choice that completes the filter. */
  done: () => void
}

/** Edits one filter: its options, or its days. */
export function FilterEditor({ filter, values, set, done }: Props) {
  const choose = (next: string[]) => {
    set(next)
    if (filter.kind !== 'multi') done()
  }
  return isPeriod(filter) ? (
    <PeriodPanel isAhead={filter.isAhead} value={[...values] as PeriodValue} choose={choose} />
  ) : (
    <Choices filter={filter} values={values} set={choose} />
  )
}

const nothing: readonly Option[] = []
const fresh = 60_000

const outsideOf = ({ options = nothing }: Filter, values: readonly string[]) =>
  values.filter((value) => !options.some((option) => option.value === value))

/** Under which the names of chosen values are kept. */
const namesKey = (merchantId: string, { key, scope }: Filter, ids: readonly string[]) =>
  ['optionsById', merchantId, key, scope, ids] as const

/** The options, and chosen values outside of them once their names are known. */
function useNamed(filter: Filter, values: readonly string[]): { named: readonly Option[]; isNaming: boolean } {
  const { id: merchantId } = useMerchant()
  const { options = nothing, find } = filter
  const ids = outsideOf(filter, values)
  const { data, isLoading } = useQuery({
    queryKey: namesKey(merchantId, filter, ids),
    queryFn: async () => (await find?.({ ids }))?.options ?? nothing,
    enabled: find !== undefined && ids.length > 0,
    staleTime: fresh,
  })
  return { named: data && ids.length > 0 ? [...options, ...data] : options, isNaming: isLoading }
}

/** The server's matches, or its first options; none while all options are loaded and nothing is typed. */
function useFound({ key, scope, options, find }: Filter, text: string) {
  const { id: merchantId } = useMerchant()
  const say = useFoundSentence()
  const search = useTyped(text)
  const isEnabled = find !== undefined && (options === undefined || search !== undefined)
  const { data, isPending, isPlaceholderData, error } = useQuery({
    queryKey: ['optionsByText', merchantId, key, scope, search],
    queryFn: () => find?.({ search }) ?? { options: nothing, total: 0 },
    enabled: isEnabled,
    staleTime: fresh,
    placeholderData: keepPreviousData,
  })
  const isBehind = isPlaceholderData || (search ?? '') !== text.trim()
  if (!isEnabled) return { found: nothing, sentence: undefined }
  const all = data?.options ?? nothing
  return {
    // Until the answer is here: what is known to match.
    found: isBehind ? all.filter(({ label }) => contains(label, text)) : all,
    sentence: say({ isPending: isPending || isPlaceholderData, error, shown: all.length, total: data?.total ?? 0 }),
  }
}

/** From this many on, choices can be searched. */
const manyChoices = 9

function Choices({
  filter,
  values,
  set,
}: {
  filter: Filter
  values: readonly string[]
  set: (values: string[]) => void
}) {
  const { t } = useTranslation(['ui', 'list'])
  const client = useQueryClient()
  const { id: merchantId } = useMerchant()
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  // Ticks show at once, and the next tick adds to them: the address follows when the list renders.
  const [selectedValues, setSelectedValues] = useState<string[]>([...values])
  useEffect(() => setSelectedValues([...values]), [values])
  // Those chosen at first stay in their places when their ticks are removed.
  const [first] = useState(values)
  const { named } = useNamed(filter, [...new Set([...first, ...selectedValues])])
  const { found, sentence } = useFound(filter, text)
  const isFirst = ({ value }: Option) => first.includes(value) || filter.options?.some((one) => one.value === value)
  const here = named.filter(
    (one) => contains(one.label, text) && (isFirst(one) || !found.some(({ value }) => value === one.value)),
  )
  const matches = [...here, ...found.filter(({ value }) => !here.some((option) => option.value === value))]
  const choose = (next: string[]) => {
    const known = new Map([...named, ...found].map((one) => [one.value, one]))
    for (const chosen of [next, [...new Set([...first, ...next])]]) {
      const ids = outsideOf(filter, chosen)
      const names = ids.flatMap((id) => known.get(id) ?? [])
      if (names.length === ids.length) client.setQueryData(namesKey(merchantId, filter, ids), names)
    }
    setSelectedValues(next)
    set(next)
  }
  const intoChoices = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    box.current?.querySelector<HTMLElement>('input:is([type=checkbox], [type=radio])')?.focus()
  }
  const isSearched = filter.options === undefined ? filter.find !== undefined : filter.options.length >= manyChoices
  const state = sentence ?? (matches.length === 0 ? t('found.none') : undefined)
  return (
    <Stack gap="near" miw={200} maw={{ base: 'none', xs: 320 }}>
      {isSearched && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('list:filter.find')}
          placeholder={t('list:filter.find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={intoChoices}
        />
      )}
      <ScrollArea.Autosize mah={300} ref={box}>
        {filter.kind === 'multi' ? (
          <Checkbox.Group
            value={selectedValues}
            onChange={choose}
            aria-label={filter.name}
            onKeyDown={(event) => moveFocus(event, 'input', 'column')}
          >
            {matches.map(({ value, label }) => (
              <Checkbox key={value} className={`${classes.choice} lights`} size="xs" value={value} label={label} />
            ))}
          </Checkbox.Group>
        ) : (
          <Radio.Group value={selectedValues[0] ?? ''} onChange={(value) => choose([value])} aria-label={filter.name}>
            {matches.map(({ value, label }) => (
              <Radio key={value} className={`${classes.choice} lights`} size="xs" value={value} label={label} />
            ))}
          </Radio.Group>
        )}
      </ScrollArea.Autosize>
      <Text role="status" px="snug" pb={state ? 'near' : 0} c="dimmed" fz="sm">
        {state}
      </Text>
    </Stack>
  )
}
