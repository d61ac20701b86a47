import { Box, Button, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '#portal/ui/dialog/Sheet.tsx'
import type { Filter } from '../types.ts'
import { FilterEditor, useFilterText } from './FilterEditor.tsx'
import classes from './FilterSheet.module.css'

interface Props {
  filters: readonly Filter[]
  values: Record<string, string[]>
  set: (key: string, values: string[]) => void
  /** The filter that is initially open. */
  first: string | undefined
  /** The number of matching rows, as text. */
  total: string | undefined
  /** Undefined when no filter is active. */
  clear: (() => void) | undefined
  close: () => void
}

/** All filters of a list on a phone, each opening in its place. */
export default function FilterSheet({ filters, values, set, first, total, clear, close }: Props) {
  const { t } = useTranslation('list')
  const [open, setOpen] = useState(first)
  return (
    <Sheet
      title={t('filter.name')}
      close={close}
      footer={
        <>
          <Button variant="default" disabled={!clear} onClick={clear}>
            {t('filter.clearAll')}
          </Button>
          <Button onClick={close}>{total === undefined ? t('filter.done') : t('filter.show', { total })}</Button>
        </>
      }
    >
      <ul>
        {filters.map((filter) => (
          <Entry
            key={filter.key}
            filter={filter}
            values={values[filter.key] ?? none}
            set={(next) => set(filter.key, next)}
            isOpen={open === filter.key}
            isFirst={first === filter.key}
            toggle={() => setOpen(open === filter.key ? undefined : filter.key)}
          />
        ))}
      </ul>
    </Sheet>
  )
}

const none: string[] = []

interface EntryProps {
  filter: Filter
  values: string[]
  set: (values: string[]) => void
  isOpen: boolean
  isFirst: boolean
  toggle: () => void
}

function Entry({ filter, values, set, isOpen, isFirst, toggle }: EntryProps) {
  const text = useFilterText(filter, values)
  const id = useId()
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up function.
    if (isOpen) void item.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li ref={item} className="ruled">
      <UnstyledButton
        className={classes.name}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-autofocus={isFirst || undefined}
        onClick={toggle}
      >
        <span>{filter.name}</span>
        <Text span truncate flex="1" c="gold" fw={600} ta="end">
          {text}
        </Text>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      {isOpen && (
        <Box id={id} pb="sm">
          <FilterEditor filter={filter} values={values} set={set} done={toggle} />
        </Box>
      )}
    </li>
  )
}
