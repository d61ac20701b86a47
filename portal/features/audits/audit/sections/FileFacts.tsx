import type { AuditContent } from '#contract/audits/audit-content.ts'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { crcLooks } from '#portal/ui/value/looks.ts'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { useReading } from '../useReading.ts'
import { LineButton } from './LineButton.tsx'
import { Rows, Section } from './Section.tsx'

/** Facts about the file: its envelope, checksum and reports, and the maker's own rows. */
export function FileFacts({ content, showLine }: { content: AuditContent; showLine: (line: number) => void }) {
  const { t, count } = useReading(content.money)
  const { envelope, crc, reports, reportReason, makerRows } = content
  return (
    <>
      {makerRows.length > 0 && (
        <Section title={t('section.maker')} from="MA5" aside={makerRows.length}>
          <Rows
            caption={t('section.maker')}
            heads={[{ name: t('head.line') }, { name: t('head.elements') }]}
            rows={makerRows.map(({ line, elements }) => [
              <LineButton key="line" line={line} show={showLine} />,
              <code key="elements" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
                {elements.join(' * ')}
              </code>,
            ])}
          />
        </Section>
      )}
      <Section title={t('section.file')} from="DXS ST SE G85">
        <Facts
          unknown={t('notReported')}
          facts={[
            { name: t('file.sender'), value: envelope.sender },
            { name: t('file.version'), value: envelope.version },
            { name: t('file.layout'), value: t(`file.layouts.${envelope.layout}`) },
            {
              name: t('file.segments'),
              value: t('file.segmentsOf', {
                counted: count(envelope.segmentsCounted),
                stated: count(envelope.segmentsStated) ?? '–',
              }),
            },
            { name: t('file.lineEnds'), value: t(`file.lineEnd.${envelope.lineEnds}`) },
            { name: t('file.codePage'), value: envelope.codePage ?? 'UTF-8' },
            { name: t('file.crcStated'), value: crc.stated && <code>{crc.stated}</code> },
            { name: t('file.crcComputed'), value: crc.computed && <code>{crc.computed}</code> },
            { name: t('file.reportNumber'), value: envelope.reportNumber },
          ]}
        />
        {reports.length > 1 && (
          <Rows
            caption={t('file.reports', { reason: t(`file.reason.${reportReason}`) })}
            isNamed
            heads={[
              { name: t('head.lines') },
              { name: t('head.serial') },
              { name: t('head.segments'), align: 'end' },
              { name: t('head.crc') },
              { name: t('head.remark') },
            ]}
            rows={reports.map((report) => [
              `${report.firstLine}–${report.lastLine}`,
              report.serial,
              count(report.segments),
              <StatusBadge key="crc" of={crcLooks} value={report.crc} />,
              report.isMain ? (
                <Badge key="main" tone="gold" mark="check">
                  {t('file.shown')}
                </Badge>
              ) : report.isComplete ? (
                ''
              ) : (
                t('file.incomplete')
              ),
            ])}
          />
        )}
      </Section>
    </>
  )
}
