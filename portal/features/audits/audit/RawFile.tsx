import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { audits } from '#contract/audits/audit.ts'
import type { AuditWarning, CodePage } from '#contract/audits/audit-content.ts'
import { fetchRow, keyOf, metaOf } from '#portal/app/api.ts'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import classes from './RawFile.module.css'
import { rawLinesOf } from './rawLines.ts'

interface Props {
  params: { merchantId: string; posId: string; auditId: string }
  warnings: readonly AuditWarning[]
  codePage: CodePage | null
  /** Scrolled to and marked. */
  line: number | undefined
}

const lineHeight = 22

/** The file as the machine sent it, line by line; lines with remarks are marked and say them. */
export function RawFile({ params, warnings, codePage, line }: Props) {
  const { t } = useTranslation(['audit', 'audit-warning'])
  const answer = useQuery({
    queryKey: keyOf(audits.getRawAudit, { params }),
    meta: metaOf(audits.getRawAudit),
    queryFn: async ({ signal }) =>
      rawLinesOf(await (await fetchRow(audits.getRawAudit, { params }, signal)).arrayBuffer(), codePage),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const frame = useRef<HTMLDivElement>(null)
  const lines = answer.data ?? none
  const remarks = useMemo(() => {
    const byLine = new Map<number, string[]>()
    for (const { line: at, code, params: facts } of warnings) {
      if (at === null) continue
      byLine.set(at, [...(byLine.get(at) ?? []), t(`audit-warning:${code}`, facts)])
    }
    return byLine
  }, [warnings, t])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  const isThere = lines.length > 0
  useEffect(() => {
    if (line && isThere) rows.scrollToIndex(line - 1, { align: 'center' })
  }, [line, isThere, rows])

  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (answer.data?.length === 0) return <EmptyState title={t('audit:emptyFile')} />
  const widest = lines.reduce((most, text) => Math.max(most, text.length), 0)
  return (
    // Scrollable content must be reachable by keyboard.
    <section
      className={classes.frame}
      ref={frame}
      tabIndex={0}
      aria-label={t('audit:part.raw')}
      aria-busy={!answer.data}
    >
      <Box
        pos="relative"
        ff="monospace"
        fz="fine"
        style={{ height: rows.getTotalSize(), minWidth: `${Math.min(widest, 4000) + 10}ch` }}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const lineRemarks = remarks.get(index + 1)
          return (
            <div
              key={key}
              className={classes.line}
              data-remark={lineRemarks !== undefined}
              data-sought={line === index + 1}
              style={{ transform: `translateY(${start}px)` }}
              title={lineRemarks?.join('\n')}
            >
              <span className={classes.number}>{index + 1}</span>
              <code className={classes.text}>{lines[index]}</code>
              {lineRemarks && <span className="unseen">{lineRemarks.join(' ')}</span>}
            </div>
          )
        })}
      </Box>
    </section>
  )
}

const none: readonly string[] = []
