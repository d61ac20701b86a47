import { Box, Flex, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { LineButton } from './LineButton.tsx'
import classes from './Remarks.module.css'
import { Section } from './Section.tsx'

/** The reader's remarks, and the lines it could not read. Nothing for a file without a fault. */
export function Remarks({ content, showLine }: { content: AuditContent; showLine: (line: number) => void }) {
  const { t } = useTranslation(['audit', 'audit-warning'])
  const format = useFormat()
  const { warnings, warningsTotal, unread } = content
  const isClean = warningsTotal === 0 && unread.total === 0
  if (isClean) return null
  return (
    <>
      {warningsTotal > 0 && (
        <Section
          title={t('audit:section.warnings')}
          aside={warnings.length < warningsTotal ? cut(warnings.length, warningsTotal) : format.number(warningsTotal)}
        >
          <Stack component="ul" gap={0} mah={340} mb="-snug" className={classes.list}>
            {warnings.map(({ code, line, params }, index) => (
              // Remarks have the order of the file.
              <Flex key={index} component="li" gap="part" align="baseline" py={5} className={classes.item}>
                <Text span flex="none" miw={92} c="dimmed" fz="sm">
                  {line === null ? t('audit:wholeFile') : <LineButton line={line} show={showLine} />}
                </Text>
                <span>{t(`audit-warning:${code}`, params)}</span>
              </Flex>
            ))}
          </Stack>
        </Section>
      )}
      {unread.total > 0 && (
        <Section
          title={t('audit:section.unread')}
          aside={
            unread.lines.length < unread.total ? cut(unread.lines.length, unread.total) : format.number(unread.total)
          }
        >
          <Stack component="ul" gap={0} mah={340} mb="-snug" className={classes.list}>
            {unread.lines.map(({ line, text }) => (
              <Flex key={line} component="li" gap="part" align="baseline" py={5} className={classes.item}>
                <Text span flex="none" miw={92} c="dimmed" fz="sm">
                  <LineButton line={line} show={showLine} />
                </Text>
                <Box component="code" ff="monospace" fz="fine" className="breaks">
                  {text}
                </Box>
              </Flex>
            ))}
          </Stack>
        </Section>
      )}
    </>
  )

  function cut(visibleCount: number, total: number) {
    return t('audit:firstOf', { shown: format.number(visibleCount), total: format.number(total) })
  }
}
