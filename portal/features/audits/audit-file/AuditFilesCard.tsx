import { Box, Button, Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditFileRow } from '#contract/audits/audit-file.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from '#portal/ui/import/Import.module.css'
import { Card } from '#portal/ui/page/Card.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { auditFileLooks } from './auditFileLooks.ts'
import { MachineOfFile } from './MachineOfFile.tsx'
import { ReadingOfFile } from './ReadingOfFile.tsx'
import { RemarksOfFile } from './RemarksOfFile.tsx'

interface Props {
  rows: readonly AuditFileRow[]
  merchantId: string
  /** The files are stored: the rows have their outcomes. */
  isStored: boolean
  isBusy: boolean
  isSaving: boolean
  choose: (at: number, serial: string) => void
  confirm: () => void
}

/** What is understood of files, one row each, and what is not. */
export function AuditFilesCard({ rows, merchantId, isStored, isBusy, isSaving, choose, confirm }: Props) {
  const { t } = useTranslation('audit-file')
  const format = useFormat()
  const count = rows.filter(({ outcome }) => outcome === 'new').length
  const leftOut = rows.filter(({ outcome }) => outcome === 'unclear' || outcome === 'refused').length
  return (
    <Card title={t(isStored ? 'card.stored' : 'card.preview')} isFlush>
      {!isStored && (
        <Flex rowGap="sm" columnGap="part" wrap="wrap" align="center" py="part" px="wide">
          {count > 0 ? (
            <Button onClick={confirm} loading={isSaving} disabled={isBusy}>
              {t('confirm', { count, number: format.number(count) })}
            </Button>
          ) : (
            <Text span c="dimmed" fz="sm" lh="sm">
              {t('nothing')}
            </Text>
          )}
          {leftOut > 0 && (
            <Text span c="dimmed" fz="sm" lh="sm">
              {t('partly', { count: leftOut, number: format.number(leftOut) })}
            </Text>
          )}
        </Flex>
      )}
      <Box className="scrolls">
        <table className={classes.table}>
          <thead>
            <tr>
              {(['file', 'outcome', 'machine', 'reading', 'remarks'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a file is its place in the call; two may share a name.
              <tr key={at}>
                <td>
                  <Box component="strong" display="block" miw={130} maw={240} className="breaks">
                    {row.name}
                  </Box>
                </td>
                <td>
                  <StatusBadge of={auditFileLooks} value={isStored && row.outcome === 'new' ? 'stored' : row.outcome} />
                </td>
                <td>
                  <MachineOfFile
                    row={row}
                    merchantId={merchantId}
                    isFixed={isStored || isBusy}
                    choose={(serial) => choose(at, serial)}
                  />
                </td>
                <td>
                  <ReadingOfFile row={row} merchantId={merchantId} />
                </td>
                <td>
                  <RemarksOfFile row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}
