import { Box, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PricePreview } from '#contract/catalogue/price-change.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { rowHeight, useRowsInView } from '#portal/ui/grid/useRowsInView.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { FromTo } from '../../../ui/price/FromTo.tsx'
import { tableWord } from '../price/machinePrice.ts'
import classes from './PreviewTable.module.css'
import { byMachine, byProduct, changeOf, type Line, oneDecimal } from './previewLines.ts'

type View = 'products' | 'machines'

/** Every old and new price, by product or by machine. */
export function PreviewTable({ prices }: { prices: readonly PricePreview[] }) {
  const { t } = useTranslation('price-change')
  const isOne = prices.every(({ posId }) => posId === prices[0]?.posId)
  const [view, setView] = useState<View>(isOne ? 'machines' : 'products')
  const lines = useMemo(() => (view === 'products' ? byProduct : byMachine)(prices), [view, prices])
  return (
    <Stack gap="xs">
      {!isOne && (
        <div>
          <Segments
            name={t('preview.by')}
            value={view}
            options={(['products', 'machines'] as const).map((value) => ({ value, label: t(`preview.${value}View`) }))}
            choose={setView}
          />
        </div>
      )}
      <Lines key={view} lines={lines} />
    </Stack>
  )
}

/** Lines out of view are not in the page. */
function Lines({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation('price-change')
  const { element, view, onScroll } = useRowsInView(lines.length)
  return (
    <div
      ref={element}
      className={classes.preview}
      role="table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the arrow keys
      tabIndex={0}
      aria-label={t('preview.list')}
      aria-rowcount={lines.length}
      onScroll={onScroll}
    >
      <Box role="rowgroup" pos="relative" style={{ height: lines.length * rowHeight }}>
        {lines.slice(view.first, view.last + 1).map((line, offset) => {
          const index = view.first + offset
          return (
            <div
              key={line.key}
              role="row"
              aria-rowindex={index + 1}
              className={line.kind === 'machine' ? classes.heading : classes.price}
              data-unusual={(line.kind !== 'machine' && line.price.warning !== null) || undefined}
              style={{ top: index * rowHeight }}
            >
              <Cells line={line} />
            </div>
          )
        })}
      </Box>
    </div>
  )
}

function Cells({ line }: { line: Line }) {
  const { t } = useTranslation(['price-change', 'vocabulary'])
  const format = useFormat()
  const counted = (key: string, count: number) => t(`preview.${key}`, { count, number: format.number(count) })
  if (line.kind === 'machine')
    return (
      <>
        <span role="rowheader" className={classes.machine}>
          <PlaceLink place={{ to: '/devices/$posId/prices', params: { posId: line.machine.posId } }}>
            {line.machine.posName}
          </PlaceLink>
        </span>
        <span role="cell" className={classes.fine}>
          {counted('prices', line.count)}
        </span>
      </>
    )
  const { selection, product, priceTable, warning } = line.price
  return (
    <>
      <span role="cell" className={classes.what}>
        {line.kind === 'price' && <strong>{selection} </strong>}
        {line.kind === 'product' ? <strong>{product ?? selection}</strong> : product}
      </span>
      <span role="cell" className={`${classes.fine} ${classes.where}`}>
        {line.kind === 'product' ? counted('machines', line.machines) : t(`${tableWord(priceTable)}`)}
      </span>
      <span role="cell" className={classes.fromTo}>
        <FromTo {...line.price} />
      </span>
      <Change price={line.price} />
      {warning && (
        <Text role="cell" span className="clips">
          <Badge tone="warn" mark="triangle">
            {t(`vocabulary:priceWarning.${warning}`)}
          </Badge>
        </Text>
      )}
    </>
  )
}

function Change({ price }: { price: PricePreview }) {
  const format = useFormat()
  const change = changeOf(price)
  return (
    <span role="cell" className={classes.change} data-lower={(change ?? 0) < 0 || undefined}>
      {change !== undefined && format.number(change, { style: 'percent', signDisplay: 'exceptZero', ...oneDecimal })}
    </span>
  )
}
