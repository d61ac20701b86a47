import { Box, Button, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BrokenRule } from '#contract/frame/broken.ts'
import type { ImportedRow, ImportPreviewed } from '#contract/imports/import.ts'
import type { ImportFieldName, ImportKind } from '#contract/imports/import-kinds.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { outcomeLooks } from './importLooks.ts'
import { useFieldValue } from './useFieldValue.ts'

interface Props {
  kind: ImportKind
  preview: ImportPreviewed
  merchantId: string
  isSaving: boolean
  confirm: () => void
}

/** What an import would change, row by row, errors first. */
export function ImportPreviewCard({ kind, preview, merchantId, isSaving, confirm }: Props) {
  const { t } = useTranslation('import')
  const format = useFormat()
  const { created, updated, same, refused, rows } = preview
  const count = created + updated
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
        {count + same + refused > rows.length && (
          <Text c="dimmed" fz="sm" lh="sm">
            {t('shown', { number: format.number(rows.length) })}
          </Text>
        )}
      </Flex>
      <Box className="scrolls">
        <table className={classes.table}>
          <thead>
            <tr>
              {(['row', 'outcome', 'record', 'details'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} kind={kind} row={row} merchantId={merchantId} />
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}

function Row({ kind, row, merchantId }: { kind: ImportKind; row: ImportedRow; merchantId: string }) {
  const { t } = useTranslation('import')
  const format = useFormat()
  const say = useRuleSentence()
  const write = useFieldValue(kind, merchantId)
  const nameOf = (field: string) => t(`field.${field as ImportFieldName}`)
  return (
    <tr>
      <td>{format.number(row.row)}</td>
      <td>
        <StatusBadge of={outcomeLooks} value={row.outcome} />
      </td>
      <td className="breaks">{row.name}</td>
      <td>
        <Stack component="ul" gap="hair" className="breaks">
          {row.faults.map(({ field, cell, rule, values }) => (
            <li key={`${field} ${rule}`} className={classes.fault}>
              {cell === null
                ? `${nameOf(field)}: ${say({ key: rule, values } as BrokenRule)}`
                : t('fault', { field: nameOf(field), cell, rule: say({ key: rule, values } as BrokenRule) })}
            </li>
          ))}
          {row.changes.map(({ field, before, after }) => (
            <li key={field}>
              {nameOf(field)}: {before === null ? '' : `${write(field, before)} → `}
              {write(field, after) || t('emptyValue')}
            </li>
          ))}
        </Stack>
      </td>
    </tr>
  )
}
