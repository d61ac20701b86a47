import { Group, UnstyledButton } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Opener } from '#portal/ui/dialog/Opener.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import type { Filter } from '../types.ts'
import classes from './FilterBar.module.css'
import { FilterEditor, isPeriod, useFilterText } from './FilterEditor.tsx'
import { FilterMenu } from './FilterMenu.tsx'
import { TextFilter } from './TextFilter.tsx'

const FilterSheet = lazyPart(() => import('./FilterSheet.tsx'))

interface Props {
  filters: readonly Filter[]
  values: Record<string, string[]>
  set: (key: string, values: string[]) => void
  clear: () => void
  /** The number of matching rows, as text. */
  total?: string | undefined
}

/**
 * The filters of a list: its search, one menu of all others, and a chip for each active filter. On a phone the menu is
 * a sheet.
 */
export const FilterBar = memo(function FilterBar({ filters, values, set, clear, total }: Props) {
  const { t } = useTranslation('list')
  const format = useFormat()
  const isPhone = useIsPhone()
  const [sheet, setSheet] = useState<{ key: string | undefined }>()
  if (filters.length === 0) return null
  const choices = filters.filter(({ kind }) => kind !== 'text')
  const used = choices.filter(({ key }) => (values[key]?.length ?? 0) > 0)
  const removable = used.filter((filter) => !isInitial(filter, values[filter.key] ?? none))
  const setOf = (filter: Filter) => (next: string[]) => set(filter.key, next)
  const label = (
    <>
      <IconPlus size={14} aria-hidden />
      {t('filter.add')}
      {isPhone && used.length > 0 && <span className={classes.count}>{format.number(used.length)}</span>}
    </>
  )
  return (
    <Group gap="near" miw={0} className={classes.filters} role="group" aria-label={t('filter.name')}>
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
      {choices.length > 0 && !isPhone && (
        <Opener className={classes.add} label={label} name={t('filter.add')} position="bottom-start" padding={0}>
          {(close) => <FilterMenu filters={choices} values={values} set={set} close={close} />}
        </Opener>
      )}
      {choices.length > 0 && isPhone && (
        <UnstyledButton className={classes.add} aria-haspopup="dialog" onClick={() => setSheet({ key: undefined })}>
          {label}
        </UnstyledButton>
      )}
      {used.length > 0 && (
        <div className={classes.chips}>
          {used.map((filter) => (
            <Chip
              key={filter.key}
              filter={filter}
              values={values[filter.key] ?? none}
              set={setOf(filter)}
              openSheet={isPhone ? () => setSheet({ key: filter.key }) : undefined}
            />
          ))}
          {removable.length > 0 && (
            <UnstyledButton
              className={classes.clearAll}
              onClick={(event) => {
                leaveTo(event.currentTarget)
                clear()
              }}
            >
              {t('filter.clearAll')}
            </UnstyledButton>
          )}
        </div>
      )}
      {sheet && (
        <Part failed={(again) => <PartFailure again={again} close={() => setSheet(undefined)} />}>
          <FilterSheet
            filters={choices}
            values={values}
            set={set}
            first={sheet.key}
            total={total}
            clear={removable.length > 0 ? clear : undefined}
            close={() => setSheet(undefined)}
          />
        </Part>
      )}
    </Group>
  )
})

const none: string[] = []
const isInitial = ({ initial }: Filter, [first, ...others]: readonly string[]) =>
  initial !== undefined && first === initial && others.length === 0

/** Removing a chip moves the focus to the menu of all filters. */
const leaveTo = (button: HTMLElement) =>
  button.closest('[role="group"]')?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()

interface ChipProps {
  filter: Filter
  values: string[]
  set: (values: string[]) => void
  openSheet: (() => void) | undefined
}

/** An active filter: opens its editor, or is removed. */
function Chip({ filter, values, set, openSheet }: ChipProps) {
  const { t } = useTranslation('list')
  const text = useFilterText(filter, values)
  const label = (
    <>
      <span>{filter.name}</span>
      <strong className={classes.said}>{text}</strong>
    </>
  )
  return (
    <span className={classes.chip}>
      {openSheet ? (
        <UnstyledButton className={classes.open} aria-haspopup="dialog" onClick={openSheet}>
          {label}
        </UnstyledButton>
      ) : (
        <Opener
          className={classes.open}
          label={label}
          name={filter.name}
          position="bottom-start"
          padding={isPeriod(filter) ? 0 : 8}
        >
          {(close) => <FilterEditor filter={filter} values={values} set={set} done={close} />}
        </Opener>
      )}
      {!filter.initial && (
        <UnstyledButton
          className={classes.remove}
          aria-label={t('filter.clear', { name: filter.name })}
          onClick={(event) => {
            leaveTo(event.currentTarget)
            set([])
          }}
        >
          <IconX size={13} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  )
}
