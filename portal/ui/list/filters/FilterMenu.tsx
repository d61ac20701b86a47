import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contains } from '#domain/frame/folded.ts'
import { moveFocus } from '#portal/ui/moveFocus.ts'
import type { Filter } from '../types.ts'
import { FilterEditor, isPeriod, useFilterText } from './FilterEditor.tsx'
import classes from './FilterMenu.module.css'

interface Props {
  filters: readonly Filter[]
  values: Record<string, string[]>
  set: (key: string, values: string[]) => void
  close: () => void
}

/** From this many on, filters can be searched by name. */
const manyFilters = 9

/** All filters of a list by name; the chosen one is edited in the same menu. */
export function FilterMenu({ filters, values, set, close }: Props) {
  const { t } = useTranslation(['ui', 'list'])
  const [key, setKey] = useState<string>()
  const [text, setText] = useState('')
  const last = useRef<string>(undefined)
  const box = useRef<HTMLDivElement>(null)
  // The focus follows into the editor, and back to the filter it came from.
  useEffect(() => {
    if (key) box.current?.querySelector<HTMLElement>('[data-editor] :is(input, button)')?.focus()
    else if (last.current) box.current?.querySelector<HTMLElement>(`[data-filter="${last.current}"]`)?.focus()
    last.current = key
  }, [key])
  const open = filters.find((filter) => filter.key === key)
  if (open)
    return (
      <div ref={box}>
        <UnstyledButton className={`${classes.back} lights`} onClick={() => setKey(undefined)}>
          <IconChevronLeft size={15} aria-hidden />
          <span className="unseen">{t('list:filter.back')}: </span>
          {open.name}
        </UnstyledButton>
        <div className={classes.editor} data-editor data-period={isPeriod(open) || undefined}>
          <FilterEditor
            filter={open}
            values={values[open.key] ?? none}
            set={(next) => set(open.key, next)}
            done={close}
          />
        </div>
      </div>
    )
  const matches = filters.filter(({ name }) => contains(name, text))
  return (
    <Stack ref={box} gap="snug" w={250} p="snug">
      {filters.length >= manyFilters && (
        <TextInput
          size="xs"
          data-autofocus
          aria-label={t('list:filter.find')}
          placeholder={t('list:filter.find')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = matches
            if (event.key === 'ArrowDown' && first) {
              event.preventDefault()
              box.current?.querySelector<HTMLElement>(`[data-filter="${first.key}"]`)?.focus()
            }
            if (event.key === 'Enter' && first) setKey(first.key)
          }}
        />
      )}
      <Stack
        component="ul"
        gap={1}
        mah={360}
        className="scrolls-down"
        onKeyDown={(event) => moveFocus(event, 'button', 'column')}
      >
        {matches.map((filter) => (
          <li key={filter.key}>
            <Entry filter={filter} values={values[filter.key] ?? none} open={() => setKey(filter.key)} />
          </li>
        ))}
      </Stack>
      {matches.length === 0 && (
        <Text py="snug" px="near" c="dimmed" fz="sm">
          {t('found.none')}
        </Text>
      )}
    </Stack>
  )
}

const none: string[] = []

function Entry({ filter, values, open }: { filter: Filter; values: string[]; open: () => void }) {
  const text = useFilterText(filter, values)
  return (
    <UnstyledButton className={classes.entry} data-filter={filter.key} onClick={open}>
      <span>{filter.name}</span>
      {text && (
        <Text span truncate c="dimmed">
          {text}
        </Text>
      )}
    </UnstyledButton>
  )
}
