import { ActionIcon, Button, Group, Menu, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostPlanogramLines } from '#contract/catalogue/planogram.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchants } from '#portal/app/merchant.tsx'
import type { DrawField, RecordField } from '#portal/ui/form/record/RecordFields.tsx'
import type { Change } from '#portal/ui/grid/cell.ts'
import { writeCell } from '#portal/ui/grid/cell.ts'
import { GridTable } from '#portal/ui/grid/GridTable.tsx'
import type { Changes } from '#portal/ui/grid/gridEdits.ts'
import { rangeOf } from '#portal/ui/grid/gridKeys.ts'
import { useGridInput } from '#portal/ui/grid/useGridInput.ts'
import { useRowsInView } from '#portal/ui/grid/useRowsInView.ts'
import { FrontPicture } from './FrontPicture.tsx'
import classes from './Lines.module.css'
import { keyOfRow, type LineDraft, type LineRow, type Table, tablesIn } from './lineDraft.ts'
import { PrintedLines } from './PrintedLines.tsx'
import { useLineColumns } from './useLineColumns.ts'
import { useLineEdits } from './useLineEdits.ts'
import { useLineFaults } from './useLineFaults.ts'
import { useProductChoices } from './useProductChoices.ts'

const allTables = Object.values(priceTables).map((number): Table => `${number}`)

/** The selections of a planogram as a grid, with the front of a cold machine beside it. */
export const lines: DrawField = (field) => <LinesField {...field} />

function LinesField(field: RecordField) {
  const { t } = useTranslation('planogram')
  const merchants = useMerchants()
  const { merchantId } = field
  const currency = merchants.find(({ id }) => id === merchantId)?.currency
  if (!merchantId || !currency)
    return (
      <Text c="dimmed" fz="sm">
        {t('lines.merchant')}
      </Text>
    )
  return <Editor key={merchantId} {...field} merchantId={merchantId} currency={currency} />
}

interface EditorProps extends RecordField {
  merchantId: string
  currency: Currency
}

/** The lines in a grid: their changes, the selected cells, and what is wrong with them. */
function useLineGrid({ form, name, values, merchantId, currency }: EditorProps) {
  const drafts = values[name] as readonly LineDraft[]
  const products = useProductChoices(merchantId)
  const [added, setAdded] = useState<readonly Table[]>([])
  const [tooMany, setTooMany] = useState<number>()
  const used = tablesIn(drafts)
  const visibleTables = allTables.filter((table, at) => at === 0 || used.has(table) || added.includes(table)).join(' ')
  const tables = useMemo(() => visibleTables.split(' ') as Table[], [visibleTables])
  const columns = useLineColumns(tables, products, currency)
  const { edits, canUndo, add, remove, move } = useLineEdits({
    lines: drafts,
    keep: (next) => {
      setTooMany(undefined)
      form.setFieldValue(name, next)
    },
    columns,
    defaultsOf: (productId) => products?.byId.get(productId),
    refuse: setTooMany,
  })
  const faults = useLineFaults(drafts)
  const inView = useRowsInView(drafts.length)
  const input = useGridInput({ element: inView.element, edits, page: inView.page, isLocked: false, onPasted: () => {} })
  const { place, go } = input
  const range = rangeOf(place)
  const selectedCount = Math.min(range.bottom, drafts.length - 1) - range.top + 1
  const goTo = (row: number, column: number) => {
    go(row, column)
    inView.element.current?.focus({ preventScroll: true })
  }
  return {
    drafts,
    products,
    columns,
    edits,
    canUndo,
    faults,
    tooMany,
    inView,
    input,
    range,
    selectedCount,
    goTo,
    missingTables: allTables.filter((table) => !tables.includes(table)),
    addTable: (table: Table) => setAdded((before) => [...before, table]),
    addLine: () => {
      const at = drafts.length === 0 ? -1 : range.bottom
      add(at)
      goTo(at + 1, 0)
    },
    removeLines: () => {
      remove(range)
      goTo(Math.max(0, Math.min(range.top, drafts.length - selectedCount - 1)), place.column)
    },
    moveLines: (by: -1 | 1) => {
      move(range, by)
      goTo(Math.max(0, Math.min(drafts.length - 1, place.row + by)), place.column)
    },
  }
}

type LineGrid = ReturnType<typeof useLineGrid>

function Editor(props: EditorProps) {
  const { label, values, merchantId, currency } = props
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const id = useId()
  const grid = useLineGrid(props)
  const { drafts, columns, edits, faults, tooMany, input, inView } = grid
  const { place } = input
  const marks = useMemo(() => marksOf(edits.rows, columns, faults), [edits.rows, columns, faults])
  const fault = faults.get(`${place.row}.${columns[place.column]?.id}`)
  return (
    <div className={classes.editor} data-front={values.planogramType === 'B' || undefined}>
      <Stack gap="near" miw={0} className={classes.grid}>
        <LineTools grid={grid} />
        {faults.size > 0 && <FaultsButton grid={grid} />}
        <GridTable
          id={id}
          name={label}
          rows={edits.rows}
          columns={columns}
          keyOf={keyOfRow}
          nameOf={({ line }) => String(line.selection ?? '')}
          changes={marks}
          inView={inView}
          input={input}
        />
        {drafts.length === 0 && (
          <Text c="dimmed" fz="sm">
            {t('lines.empty')}
          </Text>
        )}
        <Text
          mih={20}
          fz="sm"
          className={classes.said}
          role="status"
          data-fault={tooMany !== undefined || fault ? true : undefined}
        >
          {tooMany === undefined
            ? fault
            : t('lines.tooMany', { number: format.number(tooMany), most: format.number(mostPlanogramLines) })}
        </Text>
        <PrintedLines rows={edits.rows} columns={columns} />
      </Stack>
      {values.planogramType === 'B' && (
        <FrontPicture
          lines={drafts}
          merchantId={merchantId}
          products={grid.products}
          currency={currency}
          active={drafts[place.row]?.selection}
          choose={(row) => grid.goTo(row, 0)}
        />
      )}
    </div>
  )
}

/** Adds, removes and moves lines, and adds a price list. */
function LineTools({ grid }: { grid: LineGrid }) {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const { drafts, edits, canUndo, range, selectedCount } = grid
  const many = (count: number) => ({ count, number: format.number(count) })
  return (
    <Group gap="near" className={classes.tools}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={drafts.length >= mostPlanogramLines}
        onClick={grid.addLine}
      >
        {t('lines.add')}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTrash size={14} aria-hidden />}
        disabled={selectedCount < 1}
        onClick={grid.removeLines}
      >
        {t('lines.remove', many(Math.max(1, selectedCount)))}
      </Button>
      <Tool
        name={t('lines.up')}
        isOff={range.top === 0}
        act={() => grid.moveLines(-1)}
        icon={<IconArrowUp size={15} />}
      />
      <Tool
        name={t('lines.down')}
        isOff={range.bottom >= drafts.length - 1}
        act={() => grid.moveLines(1)}
        icon={<IconArrowDown size={15} />}
      />
      <Tool name={t('lines.undo')} isOff={!canUndo} act={edits.stepBack} icon={<IconArrowBackUp size={15} />} />
      {grid.missingTables.length > 0 && <TableMenu tables={grid.missingTables} add={grid.addTable} />}
      <Text span ms="auto" c="dimmed" fz="sm">
        {t('lines.count', many(drafts.length))}
      </Text>
    </Group>
  )
}

/** Adds the columns of a further price list. */
function TableMenu({ tables, add }: { tables: readonly Table[]; add: (table: Table) => void }) {
  const { t } = useTranslation(['planogram', 'vocabulary'])
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
          {t('planogram:lines.addTable')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tables.map((table) => (
          <Menu.Item key={table} onClick={() => add(table)}>
            {t(`vocabulary:priceTable.${nameOf(priceTables, table)}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The number of wrong cells; it leads to the first one. */
function FaultsButton({ grid: { faults, columns, goTo } }: { grid: LineGrid }) {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const showFirst = () => {
    const [row = '0', ...column] = [...faults.keys()][0]?.split('.') ?? []
    const columnAt = columns.findIndex((one) => one.id === column.join('.'))
    goTo(Number(row), Math.max(0, columnAt))
  }
  return (
    <button type="button" className={classes.faults} onClick={showFirst}>
      {t('lines.faults', { count: faults.size, number: format.number(faults.size) })}
    </button>
  )
}

interface ToolProps {
  name: string
  isOff: boolean
  act: () => void
  icon: React.ReactNode
}

const Tool = ({ name, isOff, act, icon }: ToolProps) => (
  <Tooltip label={name}>
    <ActionIcon variant="default" size={30} aria-label={name} disabled={isOff} onClick={act}>
      {icon}
    </ActionIcon>
  </Tooltip>
)

/** Faulty cells, as the grid marks them. */
function marksOf(
  rows: readonly LineRow[],
  columns: Parameters<typeof useLineEdits>[0]['columns'],
  faults: ReadonlyMap<string, string>,
): Changes {
  const marks = new Map<string, Map<string, Change>>()
  for (const [path, sentence] of faults) {
    const [key = '', ...rest] = path.split('.')
    const id = rest.join('.')
    const row = rows[Number(key)]
    const column = columns.find((one) => one.id === id)
    if (!row || !column) continue
    const of = marks.get(key) ?? new Map<string, Change>()
    const value = column.value(row)
    of.set(id, { text: writeCell(row, column, value), value, fault: { sentence } })
    marks.set(key, of)
  }
  return marks
}
