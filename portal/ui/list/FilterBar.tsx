import { Checkbox, Radio, ScrollArea, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/shapes.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Opener } from '../Opener.tsx'
import { type Chosen, PeriodPanel, usePeriodName } from '../PeriodPanel.tsx'
import classes from './FilterBar.module.css'
import type { Filter, Option } from './types.ts'

interface Props {
  filters: readonly Filter[]
  values: Record<string, string[]>
  set: (key: string, values: string[]) => void
}

/** The filters of a list: those in use first as chips that say their values, the others as invitations. */
export const FilterBar = memo(function FilterBar({ filters, values, set }: Props) {
  const { t } = useTranslation('ui')
  if (filters.length === 0) return null
  const chips = filters.filter(({ kind }) => kind !== 'text')
  const isUsed = ({ key }: Filter) => (values[key]?.length ?? 0) > 0
  return (
    <div className={classes.filters} role="group" aria-label={t('filter.name')}>
      {filters
        .filter(({ kind }) => kind === 'text')
        .map((filter) => (
          <TextFilter
            key={filter.key}
            filter={filter}
            value={values[filter.key]?.[0] ?? ''}
            set={(value) => set(filter.key, value ? [value] : [])}
          />
        ))}
      {[...chips.filter(isUsed), ...chips.filter((filter) => !isUsed(filter))].map((filter) => (
        <Chip
          key={filter.key}
          filter={filter}
          values={values[filter.key] ?? none}
          set={(next) => set(filter.key, next)}
        />
      ))}
    </div>
  )
})

/** Searches while one types, once there are enough letters. */
function TextFilter({ filter, value, set }: { filter: Filter; value: string; set: (value: string) => void }) {
  const { t } = useTranslation('ui')
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = (next: string) => {
    sent.current = next
    set(next)
  }
  const sendLater = useDebouncedCallback((next: string) => {
    const trimmed = next.trim()
    if (trimmed.length === 0 || trimmed.length >= enoughLetters) send(trimmed)
  }, 250)
  // What was sent from here comes back while somebody types on. Anything else is another search: a view's, a link's, none.
  useEffect(() => {
    if (value === sent.current) return
    sendLater.cancel()
    sent.current = value
    setText(value)
  }, [value, sendLater])
  const isShort = text.trim().length > 0 && text.trim().length < enoughLetters
  return (
    <TextInput
      className={classes.text}
      size="xs"
      aria-label={filter.name}
      placeholder={filter.name}
      maxLength={100}
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        text && (
          <UnstyledButton
            className={classes.clear}
            aria-label={t('filter.clear', { name: filter.name })}
            onClick={() => {
              sendLater.cancel()
              setText('')
              send('')
            }}
          >
            <IconX size={14} aria-hidden />
          </UnstyledButton>
        )
      }
      description={isShort ? t('filter.letters', { count: enoughLetters }) : undefined}
      inputWrapperOrder={['input', 'description']}
      classNames={{ description: classes.hint }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        sendLater(event.currentTarget.value)
      }}
    />
  )
}

function Chip({ filter, values, set }: { filter: Filter; values: string[]; set: (values: string[]) => void }) {
  const { t } = useTranslation('ui')
  const periodName = usePeriodName()
  const isUsed = values.length > 0
  const named = useNamed(filter, values)
  const nameOf = (value: string) => named.find((option) => option.value === value)?.label ?? value
  const isPeriod = filter.kind === 'period' || filter.kind === 'range'
  const said = isPeriod ? periodName(values) : values.map(nameOf).join(', ')
  return (
    <span className={classes.chip} data-used={isUsed}>
      <Opener
        className={classes.open}
        label={
          <>
            {!isUsed && <IconPlus size={13} aria-hidden />}
            <span>{filter.name}</span>
            {isUsed && <strong className={classes.said}>{said}</strong>}
          </>
        }
        name={filter.name}
        position="bottom-start"
        padding={isPeriod ? 0 : 8}
      >
        {(close) =>
          isPeriod ? (
            <PeriodPanel
              isAhead={filter.isAhead}
              value={values as Chosen}
              choose={(next) => {
                set(next)
                close()
              }}
            />
          ) : (
            <Choices
              filter={filter}
              values={values}
              set={(next) => {
                set(next)
                if (filter.kind === 'select') close()
              }}
            />
          )
        }
      </Opener>
      {isUsed && !filter.initial && (
        <UnstyledButton
          className={classes.remove}
          aria-label={t('filter.clear', { name: filter.name })}
          onClick={() => set([])}
        >
          <IconX size={13} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  )
}

const nothing: readonly Option[] = []
const none: string[] = []
const fresh = 60_000

/** The choices with those that are chosen and not among them, once their names are known. */
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

/** What the server finds of choices that are not all here. */
function useFound({ key, find }: Filter, wanted: string): readonly Option[] {
  const { id: merchantId } = useMerchant()
  const [search] = useDebouncedValue(wanted.trim(), 250)
  const { data } = useQuery({
    queryKey: ['optionsByText', merchantId, key, search],
    queryFn: () => find?.({ search }) ?? nothing,
    enabled: find !== undefined && search.length >= enoughLetters,
    staleTime: fresh,
  })
  return wanted.trim() === search ? (data ?? nothing) : nothing
}

/** From this many on, choices can be searched. */
const manyChoices = 9

function Choices({ filter, values, set }: { filter: Filter; values: string[]; set: (values: string[]) => void }) {
  const { t } = useTranslation('ui')
  const [wanted, setWanted] = useState('')
  // Ticks show at once, and the next one adds to them: the address says so when the list is drawn.
  const [chosen, setChosen] = useState(values)
  useEffect(() => setChosen(values), [values])
  const choose = (next: string[]) => {
    setChosen(next)
    set(next)
  }
  const options = useNamed(filter, values)
  const here = options.filter(({ label }) => label.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()))
  const others = useFound(filter, wanted).filter(({ value }) => !here.some((option) => option.value === value))
  const found = [...here, ...others]
  return (
    <div className={classes.choices}>
      {options.length >= manyChoices && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('filter.find')}
          placeholder={t('filter.find')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={300}>
        {filter.kind === 'multi' ? (
          <Checkbox.Group value={chosen} onChange={choose} aria-label={filter.name}>
            {found.map(({ value, label }) => (
              <Checkbox key={value} className={classes.choice} size="xs" value={value} label={label} />
            ))}
          </Checkbox.Group>
        ) : (
          <Radio.Group value={chosen[0] ?? ''} onChange={(value) => choose([value])} aria-label={filter.name}>
            {found.map(({ value, label }) => (
              <Radio key={value} className={classes.choice} size="xs" value={value} label={label} />
            ))}
          </Radio.Group>
        )}
        {found.length === 0 && <p className={classes.none}>{t('filter.none')}</p>}
      </ScrollArea.Autosize>
    </div>
  )
}
