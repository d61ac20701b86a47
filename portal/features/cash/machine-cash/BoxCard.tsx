import { Box, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MachineCash } from '#contract/cash/machine-cash.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Cash.module.css'

/** The coins and banknotes in the cash boxes, if the machine reports them. */
export function BoxCard({ cash: { boxPieces, currency } }: { cash: MachineCash }) {
  const { t } = useTranslation('cash')
  return (
    <Card title={t('box.title')} note={boxPieces ? t('floats.note') : undefined}>
      {boxPieces === null || boxPieces.length === 0 ? (
        <Text c="dimmed">{t(boxPieces ? 'box.empty' : 'box.unreported')}</Text>
      ) : (
        (['coin', 'note'] as const).map((kind) => (
          <BoxTable key={kind} kind={kind} pieces={boxPieces.filter((one) => one.kind === kind)} currency={currency} />
        ))
      )}
    </Card>
  )
}

interface TableProps {
  kind: 'coin' | 'note'
  pieces: NonNullable<MachineCash['boxPieces']>
  currency: MachineCash['currency']
}

function BoxTable({ kind, pieces, currency }: TableProps) {
  const { t } = useTranslation('cash')
  const format = useFormat()
  if (pieces.length === 0) return null
  return (
    <Box className={`${classes.scroll} scrolls`}>
      <table className={`${numbers.table} ${classes.table}`}>
        <caption className={classes.caption}>{t(`box.${kind}`)}</caption>
        <thead>
          <tr>
            {(['denomination', 'pieces', 'value'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`line.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pieces.map(({ value, count }) => (
            <tr key={value}>
              <th scope="row">{format.money(value, currency)}</th>
              <td>{format.number(count)}</td>
              <td>
                <Amount minor={value * count} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('line.total')}</th>
            <td>{format.number(pieces.reduce((sum, { count }) => sum + count, 0))}</td>
            <td>
              <Amount minor={pieces.reduce((sum, { value, count }) => sum + value * count, 0)} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
    </Box>
  )
}
