import { Checkbox, Group, Stack, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical } from '@tabler/icons-react'
import { type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Opener } from '#portal/ui/dialog/Opener.tsx'
import screen from '../ListScreen.module.css'
import type { Column } from '../types.ts'
import classes from './ColumnsMenu.module.css'
import type { Columns } from './useColumns.ts'

/** Shows, hides, and moves the columns of a list. */
export function ColumnsMenu<T>({ columns }: { columns: Columns<T> }) {
  const { t } = useTranslation(['list', 'ui'])
  return (
    <Opener
      className={`${screen.setting} lights inks`}
      label={t('ui:list.columns')}
      name={t('ui:list.columns')}
      position="bottom-end"
    >
      {() => <ColumnList columns={columns} />}
    </Opener>
  )
}

/** The column that is dragged by its grip, and the gap it is over, counted from 0 before the first column. */
function useColumnDrag<T>(put: (column: Column<T>, to: number) => void) {
  const list = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<{ id: string; to: number }>()
  const gapAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])]
    const after = rows.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect()
      return y < top + height / 2
    })
    return after < 0 ? rows.length : after
  }
  const handleOf = (column: Column<T>) => ({
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ id: column.id, to: gapAt(event.clientY) })
    },
    onPointerMove: (event: PointerEvent) => {
      if (dragged) setDragged({ id: column.id, to: gapAt(event.clientY) })
    },
    onPointerUp: () => {
      if (dragged) put(column, dragged.to)
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  })
  return { list, dragged, handleOf }
}

function ColumnList<T>({ columns }: { columns: Columns<T> }) {
  const { t } = useTranslation('list')
  const { ordered, isShown, isChanged, toggle, move, reset } = columns
  const [announcement, setAnnouncement] = useState('')

  /** `to` counts the gaps between the columns, from 0 before the first one. */
  const put = ({ id, name }: Column<T>, to: number) => {
    const from = ordered.findIndex((column) => column.id === id)
    if (to < 0 || to > ordered.length || to === from || to === from + 1) return
    move(id, ordered[to]?.id)
    setAnnouncement(t('columns.place', { name, place: to > from ? to : to + 1, total: ordered.length }))
  }
  const { list, dragged, handleOf } = useColumnDrag(put)
  return (
    <>
      <Stack
        ref={list}
        component="ul"
        gap={0}
        mah="min(60vh, 460px)"
        className={`${classes.list} scrolls-down`}
        data-end={dragged?.to === ordered.length || undefined}
      >
        {ordered.map((column, index) => (
          <Group
            key={column.id}
            component="li"
            gap="tight"
            wrap="nowrap"
            pos="relative"
            miw={240}
            h={30}
            bdrs="sm"
            className={classes.column}
            data-dragged={dragged?.id === column.id || undefined}
            data-gap={dragged?.to === index || undefined}
          >
            <Stack
              component="span"
              gap={0}
              align="center"
              justify="center"
              flex="none"
              w={22}
              h={26}
              c="faint"
              className={classes.grip}
              {...handleOf(column)}
              aria-hidden
            >
              <IconGripVertical size={15} />
            </Stack>
            <Checkbox
              flex="1"
              miw={0}
              size="xs"
              label={column.name}
              checked={isShown(column)}
              disabled={column.isFixed}
              onChange={() => toggle(column)}
            />
            <UnstyledButton
              className={classes.move}
              aria-label={t('columns.up', { name: column.name })}
              aria-disabled={index === 0}
              onClick={() => put(column, index - 1)}
            >
              <IconChevronUp size={15} aria-hidden />
            </UnstyledButton>
            <UnstyledButton
              className={classes.move}
              aria-label={t('columns.down', { name: column.name })}
              aria-disabled={index === ordered.length - 1}
              onClick={() => put(column, index + 2)}
            >
              <IconChevronDown size={15} aria-hidden />
            </UnstyledButton>
          </Group>
        ))}
      </Stack>
      <UnstyledButton
        className={`${classes.reset} inks`}
        aria-disabled={!isChanged}
        onClick={() => isChanged && reset()}
      >
        {t('columns.reset')}
      </UnstyledButton>
      <span className="unseen" role="status">
        {announcement}
      </span>
    </>
  )
}
