import { Checkbox, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { contains } from '#domain/frame/folded.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { PeriodPanel, type PeriodValue, usePeriodName } from '#portal/ui/time/PeriodPanel.tsx'
import type { Option } from '../../value/option.ts'
import type { Filter } from '../types.ts'
import classes from './FilterEditor.module.css'

export const isPeriod = ({ kind }: Filter) => kind === 'period' || kind === 'range'

/** The value of a filter, as text. */
export function useFilterText(filter: Filter, values: readonly string[]): string {
  const periodName = usePeriodName()
  const named = useNamed(filter, values)
  if (isPeriod(filter)) return periodName(values)
  return values.map((value) => named.find((option) => option.value === value)?.label ?? value).join(', ')
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

/** The options, and chosen values outside of them once their names are known. */
function useNamed({ key, options = nothing, find }: Filter, values: readonly string[]): readonly Option[] {
  const { id: merchantId } = useMerchant()
  const ids = values.filter((value) => !options.some((option) => option.value === value))
  const { data } = useQuery({
    queryKey: ['optionsById', merchantId, key, ids],
    queryFn: () => find?.({ ids }) ?? nothing,
    enabled: find !== undefined && options.length > 0 && ids.length > 0,
    staleTime: fresh,
  })
  return data && ids.length > 0 ? [...options, ...data] : options
}

/** The server's matches, if not all options are loaded. */
function useFound({ key, find }: Filter, text: string): readonly Option[] {
  const { id: merchantId } = useMerchant()
  const [search] = useDebouncedValue(text.trim(), 250)
  const { data } = useQuery({
    queryKey: ['optionsByText', merchantId, key, search],
    queryFn: () => find?.({ search }) ?? nothing,
    enabled: find !== undefined && search.length >= enoughLetters,
    staleTime: fresh,
  })
  return text.trim() === search ? (data ?? nothing) : nothing
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
  const { t } = useTranslation('ui')
  const [text, setText] = useState('')
  // Ticks show at once, and the next tick adds to them: the address follows when the list renders.
  const [selectedValues, setSelectedValues] = useState<string[]>([...values])
  useEffect(() => setSelectedValues([...values]), [values])
  const choose = (next: string[]) => {
    setSelectedValues(next)
    set(next)
  }
  const options = useNamed(filter, values)
  const here = options.filter(({ label }) => contains(label, text))
  const others = useFound(filter, text).filter(({ value }) => !here.some((option) => option.value === value))
  const matches = [...here, ...others]
  return (
    <Stack gap="near" miw={200} maw={{ base: 'none', xs: 320 }}>
      {options.length >= manyChoices && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('filter.find')}
          placeholder={t('filter.find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={300}>
        {filter.kind === 'multi' ? (
          <Checkbox.Group value={selectedValues} onChange={choose} aria-label={filter.name}>
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
        {matches.length === 0 && (
          <Text py="near" px="snug" c="dimmed" fz="sm">
            {t('filter.none')}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  )
}
