import { Box, NativeSelect, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ImportPreviewed } from '#contract/imports/import.ts'
import { type ImportFieldName, type ImportKind, importKindOf } from '#contract/imports/import-kinds.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'

interface Props {
  kind: ImportKind
  preview: ImportPreviewed
  isBusy: boolean
  map: (column: number, field: string) => void
}

/** Which column of the file is which field. */
export function MappingCard({ kind, preview: { columns, mapping, missing }, isBusy, map }: Props) {
  const { t } = useTranslation('import')
  // Cast: the kind's fields have these names.
  const fields = Object.keys(importKindOf(kind).fields) as ImportFieldName[]
  const fieldOf = new Map(Object.entries(mapping).map(([field, column]) => [column, field]))
  return (
    <Card title={t('card.mapping')} isFlush>
      <Stack gap="xs" py="part" px="wide">
        {missing.length > 0 && (
          <Text c="crit" fz="head" role="alert">
            {t('missing', { fields: missing.map((field) => t(`field.${field as ImportFieldName}`)).join(', ') })}
          </Text>
        )}
        <Text maw="78ch" c="dimmed" fz="sm" lh="sm">
          {t('how')}
        </Text>
      </Stack>
      <Box className="scrolls">
        <table className={classes.table}>
          <thead>
            <tr>
              {(['heading', 'field', 'samples'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map(({ heading, samples }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file.
              <tr key={at}>
                <td>
                  <strong>{heading || '–'}</strong>
                </td>
                <td>
                  <NativeSelect
                    aria-label={t('fieldOf', { heading })}
                    size="xs"
                    disabled={isBusy}
                    value={fieldOf.get(at) ?? ''}
                    data={[
                      { value: '', label: t('leftOut') },
                      ...fields.map((field) => ({ value: field as string, label: t(`field.${field}`) })),
                    ]}
                    onChange={(event) => map(at, event.currentTarget.value)}
                  />
                </td>
                <td>
                  <Text span c="dimmed" className="breaks">
                    {samples.filter(Boolean).join(' · ')}
                  </Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}
