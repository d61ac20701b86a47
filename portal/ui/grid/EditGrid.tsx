import { Button } from '@mantine/core'
import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useConfirm } from '../dialog/ConfirmDialog.tsx'
import Conflict from '../form/Conflict.tsx'
import { LostNote } from '../form/LostNote.tsx'
import { UnsavedGuard } from '../form/UnsavedGuard.tsx'
import { useKeptInput } from '../form/useKeptInput.ts'
import { writeCell } from './cell.ts'
import classes from './EditGrid.module.css'
import { GridTable } from './GridTable.tsx'
import { countChanges, countFaults, type PasteResult } from './gridEdits.ts'
import type { CellValue, ListEdit } from './types.ts'
import { useFaultSentence } from './useFaultSentence.ts'
import { type RowConflict, useGridEdits } from './useGridEdits.ts'
import { useGridInput } from './useGridInput.ts'
import { useGridSave } from './useGridSave.ts'
import { useRowsInView } from './useRowsInView.ts'

interface Props<T> extends ListEdit<T> {
  /** The table's name for screen readers. */
  name: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Leaves the grid. */
  close: () => void
  /** Called with the number of unsaved changes. */
  onChanges?: ((count: number) => void) | undefined
}

/** Rows edited as in a spreadsheet: keyboard, ranges, clipboard; nothing is saved before "Save". */
export default function EditGrid<T>({ name, rows: initial, keyOf, columns, nameOf, save, close, onChanges }: Props<T>) {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const id = useId()
  const sayFault = useFaultSentence()
  const { ask, dialog } = useConfirm()
  const edits = useGridEdits(initial, columns, keyOf)
  const { rows, changes, conflicts } = edits
  const [pasted, setPasted] = useState<PasteResult>()
  const inView = useRowsInView(rows.length)
  const saving = useGridSave({ edits, columns, save })
  const input = useGridInput({
    element: inView.element,
    edits,
    page: inView.page,
    isLocked: saving.isSaving || conflicts.length > 0,
    onPasted: setPasted,
  })

  const changed = countChanges(changes)
  const faults = countFaults(changes)
  useEffect(() => onChanges?.(changed), [onChanges, changed])
  useKeptInput({
    name,
    input: useMemo(() => [...changes].map(([key, cells]) => ({ key, cells: [...cells] })), [changes]),
    isDirty: changed > 0,
    restore: (storedRows) => {
      const present = new Set(rows.map(keyOf))
      edits.change(
        new Map(storedRows.filter(({ key }) => present.has(key)).map(({ key, cells }) => [key, new Map(cells)])),
      )
    },
  })
  const say = (key: string, count: number) => t(key, { count, number: format.number(count) })
  const { place } = input
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
  return (
    <section className={classes.editor}>
      <SaveBar
        changed={changed}
        faults={faults}
        isBlocked={conflicts.length > 0}
        saving={saving}
        discard={discard}
        close={close}
      />
      {saving.hasLost && <LostNote />}
      <RowConflicts conflicts={conflicts} rows={rows} keyOf={keyOf} columns={columns} nameOf={nameOf} saving={saving} />
      <GridTable
        id={id}
        name={name}
        rows={rows}
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        changes={changes}
        inView={inView}
        input={input}
        isSaving={saving.isSaving}
        isFocused
      />
      <p className={classes.said} role="status" data-fault={fault ? true : undefined}>
        {fault ? sayFault(fault) : pasted && pasteSummary(pasted, say)}
      </p>
      <UnsavedGuard isDirty={changed > 0 && !saving.isSaving} isOfWholeAddress />
      {dialog}
    </section>
  )
}

interface SaveBarProps {
  /** The numbers of changed and of wrong cells. */
  changed: number
  faults: number
  /** Conflicts are to be settled first. */
  isBlocked: boolean
  saving: { start: () => Promise<void>; isSaving: boolean }
  discard: () => void
  close: () => void
}

/** The number of changes, and what ends them. */
function SaveBar({ changed, faults, isBlocked, saving, discard, close }: SaveBarProps) {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const say = (key: string, count: number) => t(key, { count, number: format.number(count) })
  return (
    <div className={classes.bar}>
      <strong className={classes.count} aria-live="polite">
        {changed === 0 ? t('grid.none') : say('grid.changes', changed)}
      </strong>
      {faults > 0 && <span className={classes.faults}>{say('grid.faults', faults)}</span>}
      <span className={classes.grow} />
      <Button
        onClick={() => void saving.start()}
        disabled={changed === 0 || faults > 0 || isBlocked}
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
  )
}

interface ConflictsProps<T> extends Pick<Props<T>, 'rows' | 'keyOf' | 'columns' | 'nameOf'> {
  conflicts: readonly RowConflict[]
  saving: { decide: (key: string, fields: ReadonlySet<string>) => Promise<void>; isSaving: boolean }
}

/** Rows of which another user has changed the same cells. */
function RowConflicts<T>({ conflicts, rows, keyOf, columns, nameOf, saving }: ConflictsProps<T>) {
  const columnOf = (id: string) => columns.find((one) => one.id === id)
  return conflicts.map(({ key, by, at, conflicts: fields }) => {
    const row = rows.find((one) => keyOf(one) === key)
    return (
      row && (
        <div key={key}>
          <strong>{nameOf(row)}</strong>
          <Conflict
            by={by}
            at={at}
            conflicts={fields}
            nameOf={(id) => columnOf(id)?.name ?? id}
            say={(field, value) => {
              const column = columnOf(field)
              return column && writeCell(row, column, value as CellValue)
            }}
            settle={(others) => void saving.decide(key, others)}
            isSaving={saving.isSaving}
          />
        </div>
      )
    )
  })
}

const pasteSummary = ({ written, left, fixed }: PasteResult, say: (key: string, count: number) => string) =>
  [
    say('editing:grid.pasted', written),
    left > 0 && say('editing:grid.left', left),
    fixed > 0 && say('editing:grid.fixed', fixed),
  ]
    .filter(Boolean)
    .join(' ')
