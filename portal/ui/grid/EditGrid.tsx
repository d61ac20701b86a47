import { Button } from '@mantine/core'
import { type CSSProperties, useEffect, useId, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useConfirm } from '../dialog/ConfirmDialog.tsx'
import Conflict from '../form/Conflict.tsx'
import { LostNote } from '../form/LostNote.tsx'
import { UnsavedGuard } from '../form/UnsavedGuard.tsx'
import { writeCell } from './cell.ts'
import classes from './EditGrid.module.css'
import { cellId, GridRow } from './GridRow.tsx'
import { countChanges, countFaults, type Pasted } from './gridEdits.ts'
import { rangeOf } from './gridKeys.ts'
import type { CellValue, ListEdit } from './types.ts'
import { useFaultSentence } from './useFaultSentence.ts'
import { useGridEdits } from './useGridEdits.ts'
import { useGridInput } from './useGridInput.ts'
import { useGridSave } from './useGridSave.ts'
import { rowHeight, useRowsInView } from './useRowsInView.ts'

interface Props<T> extends ListEdit<T> {
  /** The table's name for screen readers. */
  name: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Leaves the grid. */
  close: () => void
}

/** Rows edited as in a spreadsheet: keyboard, ranges, clipboard; nothing is saved before "Save". */
export default function EditGrid<T>({ name, rows: initial, keyOf, columns, nameOf, save, close }: Props<T>) {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const id = useId()
  const sayFault = useFaultSentence()
  const { ask, dialog } = useConfirm()
  const edits = useGridEdits(initial, columns, keyOf)
  const { rows, changes, conflicts } = edits
  const [pasted, setPasted] = useState<Pasted>()
  const { element, view, page, onScroll, reveal } = useRowsInView(rows.length)
  const saving = useGridSave({ edits, columns, save })
  const { place, draft, acts, onKeyDown } = useGridInput({
    element,
    edits,
    page,
    isLocked: saving.isSaving || conflicts.length > 0,
    onPasted: setPasted,
  })

  useEffect(() => element.current?.focus({ preventScroll: true }), [element])
  useLayoutEffect(() => reveal(place.toRow), [reveal, place.toRow])

  const [changed, faults] = [countChanges(changes), countFaults(changes)]
  const say = (key: string, count: number) => t(key, { count, number: format.number(count) })
  const selected = rangeOf(place)
  const template = columns.map(({ width }) => (width ? `${width}px` : 'minmax(180px, 1fr)')).join(' ')
  const least = columns.reduce((sum, { width }) => sum + (width ?? 180), 0)
  const activeRow = rows[place.row]
  const fault = activeRow && changes.get(keyOf(activeRow))?.get(columns[place.column]?.id ?? '')?.fault
  const discard = () =>
    ask({
      title: t('grid.discardTitle'),
      consequence: say('grid.discardText', changed),
      confirm: say('grid.discardDo', changed),
      dismiss: { how: 'edit' },
      isDanger: true,
      act: edits.reset,
    })
  const nameOfColumn = (column: string) => columns.find((one) => one.id === column)?.name ?? column
  return (
    <section className={classes.editor}>
      <div className={classes.bar}>
        <strong className={classes.count} aria-live="polite">
          {changed === 0 ? t('grid.none') : say('grid.changes', changed)}
        </strong>
        {faults > 0 && <span className={classes.faults}>{say('grid.faults', faults)}</span>}
        <span className={classes.grow} />
        <Button
          onClick={() => void saving.start()}
          disabled={changed === 0 || faults > 0 || conflicts.length > 0}
          loading={saving.isSaving}
        >
          {t('grid.save')}
        </Button>
        <Button variant="default" onClick={discard} disabled={changed === 0 || saving.isSaving}>
          {t('grid.discard')}
        </Button>
        <Button variant="default" onClick={close} disabled={changed > 0 || saving.isSaving}>
          {t('grid.done')}
        </Button>
      </div>
      {saving.hasLost && <LostNote />}
      {conflicts.map(({ key, by, at, conflicts: fields }) => {
        const row = rows.find((one) => keyOf(one) === key)
        return (
          row && (
            <div key={key}>
              <strong>{nameOf(row)}</strong>
              <Conflict
                by={by}
                at={at}
                conflicts={fields}
                nameOf={nameOfColumn}
                say={(field, value) => {
                  const column = columns.find((one) => one.id === field)
                  return column && writeCell(row, column, value as CellValue)
                }}
                settle={(theirs) => void saving.decide(key, theirs)}
                isSaving={saving.isSaving}
              />
            </div>
          )
        )
      })}
      <div
        ref={element}
        className={classes.grid}
        role="grid"
        tabIndex={0}
        aria-label={name}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-describedby={`${id}-keys`}
        aria-activedescendant={cellId(id, place.row, place.column)}
        aria-busy={saving.isSaving}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
        // All rows have the same width, whatever their content, so that columns align.
        style={{ '--least': `${least}px` } as CSSProperties}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
            {columns.map((column, at) => (
              <div key={column.id} role="columnheader" aria-colindex={at + 1} className={classes.heading}>
                {column.name}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: rows.length * rowHeight }}>
          {rows.slice(view.first, view.last + 1).map((row, offset) => {
            const index = view.first + offset
            const isActive = index === place.row
            const isSelected = index >= selected.top && index <= selected.bottom
            return (
              <GridRow
                key={keyOf(row)}
                id={id}
                row={row}
                index={index}
                columns={columns}
                changes={changes.get(keyOf(row))}
                active={isActive ? place.column : undefined}
                from={isSelected ? selected.left : undefined}
                to={isSelected ? selected.right : undefined}
                draft={isActive ? draft : undefined}
                name={nameOf(row)}
                acts={acts}
                style={{ gridTemplateColumns: template, top: index * rowHeight }}
              />
            )
          })}
        </div>
      </div>
      <p className={classes.said} role="status" data-fault={fault ? true : undefined}>
        {fault ? sayFault(fault) : pasted && pasteSummary(pasted, say)}
      </p>
      <p id={`${id}-keys`} className={classes.keys}>
        {t('grid.keys')}
      </p>
      <UnsavedGuard isDirty={changed > 0 && !saving.isSaving} isOfWholeAddress />
      {dialog}
    </section>
  )
}

const pasteSummary = ({ written, left, fixed }: Pasted, say: (key: string, count: number) => string) =>
  [
    say('editing:grid.pasted', written),
    left > 0 && say('editing:grid.left', left),
    fixed > 0 && say('editing:grid.fixed', fixed),
  ]
    .filter(Boolean)
    .join(' ')
