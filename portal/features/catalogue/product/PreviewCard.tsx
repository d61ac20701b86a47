import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ImportPreview, ImportRow } from '#contract/catalogue/product-import.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { outcomeLooks } from './outcomeLooks.ts'
import { useProductValue } from './useProductValue.ts'

interface Props {
  preview: ImportPreview
  merchantId: string
  isSaving: boolean
  confirm: () => void
}

/** Changes by an import, row by row, errors first. */
export function PreviewCard({ preview, merchantId, isSaving, confirm }: Props) {
  const { t } = useTranslation('product-import')
  const format = useFormat()
  const { created, updated, refused, unknownColumns, rows } = preview
  const count = created + updated
  const all = count + preview.same + refused
  return (
    <Card title={t('card.preview')} isFlush>
      <Flex rowGap="sm" columnGap={28} wrap="wrap" align="center" py="part" px="wide" className={classes.top}>
        <Flex component="dl" rowGap="snug" columnGap="far" wrap="wrap" className={classes.counts}>
          {(['created', 'updated', 'same', 'refused'] as const).map((outcome) => (
            <Stack gap={0} key={outcome}>
              <Box component="dt" c="dimmed" fz="fine">
                {t(`count.${outcome}`)}
              </Box>
              <dd className={outcome === 'refused' && refused > 0 ? classes.fault : undefined}>
                {format.number(preview[outcome])}
              </dd>
            </Stack>
          ))}
        </Flex>
        <Flex
          rowGap="near"
          columnGap="sm"
          wrap="wrap"
          align="center"
          ml={{ base: 0, xs: 'auto' }}
          className={classes.act}
        >
          {refused > 0 && count > 0 && (
            <Text span c="dimmed" fz="sm" lh="sm">
              {t('partly', { count: refused, number: format.number(refused) })}
            </Text>
          )}
          {count > 0 ? (
            <Button onClick={confirm} loading={isSaving}>
              {t('confirm', { count, number: format.number(count) })}
            </Button>
          ) : (
            <Text span c="dimmed" fz="sm" lh="sm">
              {t('nothing')}
            </Text>
          )}
        </Flex>
        {unknownColumns.length > 0 && (
          <Text c="dimmed" fz="sm" lh="sm">
            {t('unknown', { columns: unknownColumns.join(', ') })}
          </Text>
        )}
        {all > rows.length && (
          <Text c="dimmed" fz="sm" lh="sm">
            {t('shown', { number: format.number(rows.length) })}
          </Text>
        )}
      </Flex>
      <Box className="scrolls">
        <table className={classes.table}>
          <thead>
            <tr>
              {(['row', 'outcome', 'product', 'details'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} row={row} merchantId={merchantId} />
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}

function Row({
  row: { row, outcome, code, name, changes, faults },
  merchantId,
}: {
  row: ImportRow
  merchantId: string
}) {
  const { t } = useTranslation(['product-import', 'product'])
  const format = useFormat()
  const say = useRuleSentence()
  const write = useProductValue(merchantId)
  return (
    <tr>
      <td>{format.number(row)}</td>
      <td>
        <StatusBadge of={outcomeLooks} value={outcome} />
      </td>
      <td>
        {name}{' '}
        <Text span c="dimmed">
          {code}
        </Text>
      </td>
      <td>
        <Stack component="ul" gap="hair" className="breaks">
          {faults.map(({ field, rule, values }) => (
            <li key={field} className={classes.fault}>
              {t(`product:field.${field}`)}: {say({ key: rule, values } as BrokenRule)}
            </li>
          ))}
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              {t(`product:field.${field}`)}: {write(field, before) || t('empty')} → {write(field, after) || t('empty')}
            </li>
          ))}
        </Stack>
      </td>
    </tr>
  )
}
