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

function Editor({
  form,
  name,
  label,
  values,
  merchantId,
  currency,
}: RecordField & { merchantId: string; currency: Currency }) {
  const { t } = useTranslation(['planogram', 'vocabulary'])
  const format = useFormat()
  const id = useId()
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
    refuse: setTooMany,
  })
  const faults = useLineFaults(drafts)
  const inView = useRowsInView(drafts.length)
  const input = useGridInput({ element: inView.element, edits, page: inView.page, isLocked: false, onPasted: () => {} })
  const { place, go } = input
  const range = rangeOf(place)
  const selected = Math.min(range.bottom, drafts.length - 1) - range.top + 1
  const many = (count: number) => ({ count, number: format.number(count) })
  const marks = useMemo(() => marksOf(edits.rows, columns, faults), [edits.rows, columns, faults])
  const fault = faults.get(`${place.row}.${columns[place.column]?.id}`)
  const focus = () => inView.element.current?.focus({ preventScroll: true })
  const goTo = (row: number, column: number) => {
    go(row, column)
    focus()
  }
  const showFault = () => {
    const [row = '0', ...column] = [...faults.keys()][0]?.split('.') ?? []
    goTo(
      Number(row),
      Math.max(
        0,
        columns.findIndex((one) => one.id === column.join('.')),
      ),
    )
  }
  const moveRows = (by: -1 | 1) => {
    move(range, by)
    const to = Math.max(0, Math.min(drafts.length - 1, place.row + by))
    go(to, place.column)
    focus()
  }
  const missing = allTables.filter((table) => !tables.includes(table))
  return (
    <div className={classes.editor} data-front={values.planogramType === 'B' || undefined}>
      <Stack gap="near" miw={0} className={classes.grid}>
        <Group gap="near" className={classes.tools}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={drafts.length >= mostPlanogramLines}
            onClick={() => {
              const at = drafts.length === 0 ? -1 : range.bottom
              add(at)
              goTo(at + 1, 0)
            }}
          >
            {t('lines.add')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} aria-hidden />}
            disabled={selected < 1}
            onClick={() => {
              remove(range)
              goTo(Math.max(0, Math.min(range.top, drafts.length - selected - 1)), place.column)
            }}
          >
            {t('lines.remove', many(Math.max(1, selected)))}
          </Button>
          <Tool
            name={t('lines.up')}
            isOff={range.top === 0}
            act={() => moveRows(-1)}
            icon={<IconArrowUp size={15} />}
          />
          <Tool
            name={t('lines.down')}
            isOff={range.bottom >= drafts.length - 1}
            act={() => moveRows(1)}
            icon={<IconArrowDown size={15} />}
          />
          <Tool name={t('lines.undo')} isOff={!canUndo} act={edits.stepBack} icon={<IconArrowBackUp size={15} />} />
          {missing.length > 0 && (
            <Menu position="bottom-start" withinPortal>
              <Menu.Target>
                <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
                  {t('lines.addTable')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {missing.map((table) => (
                  <Menu.Item key={table} onClick={() => setAdded((before) => [...before, table])}>
                    {t(`vocabulary:priceTable.${nameOf(priceTables, table)}`)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
          <Text span ms="auto" c="dimmed" fz="sm">
            {t('lines.count', many(drafts.length))}
          </Text>
        </Group>
        {faults.size > 0 && (
          <button type="button" className={classes.faults} onClick={showFault}>
            {t('lines.faults', many(faults.size))}
          </button>
        )}
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
          products={products}
          currency={currency}
          active={drafts[place.row]?.selection}
          choose={(row) => goTo(row, 0)}
        />
      )}
    </div>
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
