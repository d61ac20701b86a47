import { Box, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditFileRow } from '#contract/audits/audit-file.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

/** Of remarks and lines that were not understood, so many are shown beside a file. */
const mostShown = 3

/** What is not understood of a file, and why it is refused. */
export function RemarksOfFile({ row }: { row: AuditFileRow }) {
  const { t } = useTranslation(['audit-file', 'audit-warning'])
  const format = useFormat()
  const { fault, unread, warnings, warningsTotal, isDated, outcome } = row
  const isUndated = outcome === 'new' && !isDated
  // The sentence about the time says the same.
  const remarks = warnings.filter(({ code }) => code !== 'readingTimeUnknown')
  const left = warningsTotal - (warnings.length - remarks.length) - Math.min(remarks.length, mostShown)
  if (fault === 'table' || fault === 'notAudit' || fault === 'unreadable')
    return <Text c="crit">{t(`audit-file:fault.${fault}`)}</Text>
  const isClean = !fault && !isUndated && remarks.length === 0 && unread.total === 0
  if (isClean) return <Text c="dimmed">{t('audit-file:clean')}</Text>
  return (
    <Stack gap="hair" maw={420} className="breaks">
      {fault && <Text c="crit">{t(`audit-file:fault.${fault}`)}</Text>}
      {isUndated && <Text c="warn">{t('audit-file:undated')}</Text>}
      {remarks.slice(0, mostShown).map(({ code, line, params }) => (
        <span key={`${code} ${line}`}>{t(`audit-warning:${code}`, params)}</span>
      ))}
      {left > 0 && <Text c="dimmed">{t('audit-file:more', { count: left, number: format.number(left) })}</Text>}
      {unread.total > 0 && (
        <>
          <span>{t('audit-file:unread', { count: unread.total, number: format.number(unread.total) })}</span>
          {unread.lines.slice(0, mostShown).map(({ line, text }) => (
            <Box key={line} component="code" ff="monospace" fz="fine">
              {text}
            </Box>
          ))}
        </>
      )}
    </Stack>
  )
}
